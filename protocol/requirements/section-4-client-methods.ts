/** Requirements of §4.3 to §4.6: the four methods of the client. */
import type { Requirement } from './requirement.ts';

export const section4ClientMethods = [
  // §4.3 embedded_storage.authenticate
  {
    id: '4.3-caller',
    clause: '§4.3',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'authenticate is sent by the client alone, never by the authorization server.',
  },
  {
    id: '4.3-params',
    clause: '§4.3, §1 rule 5',
    party: 'client',
    level: 'MUST',
    text: 'The params of authenticate have the string exchangeToken and the object patientProperties.',
  },
  {
    id: '4.3-params-checked',
    clause: '§4.3',
    party: 'ehr-server',
    level: 'MUST',
    text: 'authenticate without an exchangeToken or without patientProperties is refused as invalid_params.',
  },
  {
    id: '4.3-patient-must-fit',
    clause: '§4.3, §2.5, §7',
    party: 'ehr-server',
    level: 'MUST',
    text: 'authenticate is refused when no patient of the medical information system fits the properties.',
  },
  {
    id: '4.3-authenticates',
    clause: '§4.3',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A successful authenticate makes the user of the exchange token authenticated.',
  },

  // §4.4 patient.get_patient
  {
    id: '4.4-caller',
    clause: '§4.4, §1 rule 2',
    party: 'client',
    level: 'MUST',
    text: 'The client calls patient.get_patient with the user and token of the session as cred.',
  },
  {
    id: '4.4-record-and-sign',
    clause: '§4.4, §1 rule 2, §2.6',
    party: 'ehr-server',
    level: 'MUST',
    text: "For a stored session, the reply of patient.get_patient has the linked patient's data and user_sign.",
  },
  {
    id: '4.4-not-authenticated',
    clause: '§4.4, §1 rule 3',
    party: 'ehr-server',
    level: 'MUST',
    text: 'patient.get_patient without a cred, or with one that is no stored session, is answered with an error.',
  },

  // §4.5 embedded_storage.remove_auth_info
  {
    id: '4.5-called-at-exit',
    clause: '§4.5',
    party: 'client',
    level: 'MUST',
    text: 'When the user logs out, the client calls remove_auth_info.',
  },
  {
    id: '4.5-called-before-unload',
    clause: '§4.5',
    party: 'client',
    level: 'MAY',
    text: 'A client about to be unloaded from memory logs the user out first.',
    excluded:
      'A browser gives a page no time for two calls in order before it is unloaded; the web client keeps the session for a reload and offers Log out instead.',
  },
  {
    id: '4.5-params',
    clause: '§4.5',
    party: 'client',
    level: 'MUST',
    text: 'The params of remove_auth_info are an empty object.',
  },
  {
    id: '4.5-ehr-first',
    clause: '§4.5',
    party: 'client',
    level: 'MUST',
    text: 'At logout the EHR server is called before the authorization server.',
  },
  {
    id: '4.5-auth-after-success',
    clause: '§4.5',
    party: 'client',
    level: 'MUST',
    text: "When the EHR server fails or refuses at logout, or is not reached, the authorization server's logout is not called.",
  },

  // §4.6 embedded_storage.remove_authentication
  {
    id: '4.6-called-at-disconnect',
    clause: '§4.6',
    party: 'client',
    level: 'MUST',
    text: 'When the user chooses to disconnect the EHR, the client calls remove_authentication.',
  },
  {
    id: '4.6-params',
    clause: '§4.6',
    party: 'client',
    level: 'MUST',
    text: 'The params of remove_authentication are an empty object.',
  },
  {
    id: '4.6-alone',
    clause: '§4.6',
    party: 'client',
    level: 'MAY',
    text: 'remove_authentication is called by itself, and the user stays signed in at the authorization server.',
  },
  {
    id: '4.6-with-deletion',
    clause: '§4.6',
    party: 'client',
    level: 'MAY',
    text: 'remove_authentication is called together with the deletion of the user at the authorization server.',
  },
  {
    id: '4.6-ehr-first',
    clause: '§4.6',
    party: 'client',
    level: 'MUST',
    text: 'At a deletion the EHR server is called before the authorization server.',
  },
  {
    id: '4.6-auth-after-success',
    clause: '§4.6',
    party: 'client',
    level: 'MUST',
    text: "When remove_authentication fails, is refused or does not arrive, the authorization server's deletion is not called.",
  },
] as const satisfies readonly Requirement[];

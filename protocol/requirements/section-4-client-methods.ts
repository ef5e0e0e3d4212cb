/** Requirements of §4.3 to §4.6: the four methods of the client. */
import type { Requirement } from './requirement.ts';

export const section4ClientMethods = [
  // §4.3 embedded_storage.authenticate
  {
    id: '4.3-caller',
    clause: '§4.3',
    source: 'interface',
    basis: 'The caller of authenticate is the client application.',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'authenticate is sent by the client alone, never by the authorization server.',
  },
  {
    id: '4.3-params',
    clause: '§4.3, §1 rule 5',
    source: 'interface',
    basis: 'The params of authenticate are exchangeToken, a text, and patientProperties, an object.',
    party: 'client',
    level: 'MUST',
    text: 'The params of authenticate have the string exchangeToken and the object patientProperties.',
  },
  {
    id: '4.3-patient-must-fit',
    clause: '§4.3, §2.5, §7',
    source: 'interface',
    basis:
      'The medical information system must hold a patient that fits the properties, or authenticate cannot succeed.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'authenticate is refused when no patient of the medical information system fits the properties.',
  },
  {
    id: '4.3-authenticates',
    clause: '§4.3',
    source: 'interface',
    basis: 'authenticate authenticates the user on the EHR server.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A successful authenticate makes the user of the exchange token authenticated.',
  },

  // §4.4 patient.get_patient
  {
    id: '4.4-caller',
    clause: '§4.4, §1 rule 2',
    source: 'interface',
    basis: 'The caller of patient.get_patient is the client application, for a user who holds a session.',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'patient.get_patient is sent by the client alone, for a user who holds a session.',
  },
  {
    id: '4.4-record-and-sign',
    clause: '§4.4, §1 rule 2, §2.6',
    source: 'interface',
    basis: 'The reply carries the patient data and user_sign when the session exists.',
    party: 'ehr-server',
    level: 'MUST',
    text: "For a stored session, the reply of patient.get_patient has the linked patient's data and user_sign.",
  },
  {
    id: '4.4-not-authenticated',
    clause: '§4.4, §1 rule 3',
    source: 'interface',
    basis: 'When the user is not authenticated on the EHR server, the reply is an error.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'patient.get_patient that names no stored session is answered with an error.',
  },

  // §4.5 embedded_storage.remove_auth_info
  {
    id: '4.5-called-at-exit',
    clause: '§4.5',
    source: 'interface',
    basis: 'remove_auth_info is the logout, used when the user leaves the application, as by an exit button.',
    party: 'client',
    level: 'MUST',
    text: 'When the user logs out, the client calls remove_auth_info.',
  },
  {
    id: '4.5-params',
    clause: '§4.5',
    source: 'interface',
    basis: 'The params of remove_auth_info are an empty object.',
    party: 'client',
    level: 'MUST',
    text: 'The params of remove_auth_info are an empty object.',
  },
  {
    id: '4.5-ehr-first',
    clause: '§4.5',
    source: 'interface',
    basis: 'The EHR server is called first, and the logout of the authorization server only after it.',
    party: 'client',
    level: 'MUST',
    text: "Where a logout calls the authorization server's logout, the EHR server is called before it.",
  },
  {
    id: '4.5-auth-after-success',
    clause: '§4.5',
    source: 'interface',
    basis:
      'The logout of the authorization server is called only after a successful reply of the EHR server.',
    party: 'client',
    level: 'MUST',
    text: "When the EHR server fails or refuses at logout, or is not reached, the authorization server's logout is not called.",
  },

  // §4.6 embedded_storage.remove_authentication
  {
    id: '4.6-called-at-disconnect',
    clause: '§4.6',
    source: 'interface',
    basis: 'remove_authentication cancels the authentication when the user chooses to disconnect the EHR.',
    party: 'client',
    level: 'MUST',
    text: 'When the user chooses to disconnect the EHR, the client calls remove_authentication.',
  },
  {
    id: '4.6-params',
    clause: '§4.6',
    source: 'interface',
    basis: 'The params of remove_authentication are an empty object.',
    party: 'client',
    level: 'MUST',
    text: 'The params of remove_authentication are an empty object.',
  },
  {
    id: '4.6-alone',
    clause: '§4.6',
    source: 'interface',
    basis: 'remove_authentication may be called alone, when only the EHR is to be disconnected.',
    party: 'client',
    level: 'MAY',
    text: 'remove_authentication is called by itself when only the EHR is to be disconnected.',
  },
  {
    id: '4.6-with-deletion',
    clause: '§4.6',
    source: 'interface',
    basis:
      'remove_authentication may be called together with the deletion of the data of the user on the authorization server.',
    party: 'client',
    level: 'MAY',
    text: 'remove_authentication is called together with the deletion of the user at the authorization server.',
  },
  {
    id: '4.6-ehr-first',
    clause: '§4.6',
    source: 'interface',
    basis: 'Where remove_authentication is called together with a deletion, the EHR server is called first.',
    party: 'client',
    level: 'MUST',
    text: 'Where remove_authentication goes along with a deletion, the EHR server is called first.',
  },
  {
    id: '4.6-auth-after-success',
    clause: '§4.6',
    source: 'interface',
    basis:
      'Where both are called at a deletion, the authorization server comes after a successful reply of the EHR server.',
    party: 'client',
    level: 'MUST',
    text: "When remove_authentication fails, is refused or does not arrive, the authorization server's deletion is not called.",
  },
] as const satisfies readonly Requirement[];

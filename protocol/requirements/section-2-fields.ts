/** Requirements of §2.3 to §2.6: the records and fields on the wire. */
import type { Requirement } from './requirement.ts';

export const section2Fields = [
  // §2.3 Session record
  {
    id: '2.3-user',
    clause: '§2.3, §1 rule 1',
    source: 'interface',
    basis:
      'The authInfo has user, a text that identifies the end user, who received it with the token at the sign-in.',
    party: 'auth-server',
    level: 'MUST',
    text: 'authInfo.user is a string that identifies the end user, the one handed to the client at sign-in.',
  },
  {
    id: '2.3-token',
    clause: '§2.3, §1 rule 1',
    source: 'interface',
    basis:
      'The authInfo has token, a text: the session token of the end user, who received it at the sign-in.',
    party: 'auth-server',
    level: 'MUST',
    text: 'authInfo.token is a string: the session token handed to the client at sign-in.',
  },
  {
    id: '2.3-token-unique',
    clause: '§2.3',
    source: 'interface',
    basis: 'The session token is unique across the system.',
    party: 'auth-server',
    level: 'MUST',
    text: 'No two sessions are given the same session token, whoever their users are.',
  },
  {
    id: '2.3-ttl',
    clause: '§2.3',
    source: 'interface',
    basis: 'The authInfo has ttl, an integer: the lifetime of the session record.',
    party: 'auth-server',
    level: 'MUST',
    text: 'authInfo.ttl is a JSON integer that states how long the session record lives.',
  },
  {
    id: '2.3-ttl-lived',
    clause: '§2.3',
    source: 'interface',
    basis: 'The ttl is the lifetime of the session record.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A session lives as long as its ttl says, over a restart too, and no longer.',
  },
  {
    id: '2.3-token-of-one-session',
    clause: '§2.3, §8',
    source: 'interface',
    basis: 'The session token is unique across the system, and a token value is used once.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'The token of a session, also of an expired one, opens no other session.',
  },
  {
    id: '2.3-internal-id-not-sent',
    clause: '§2.3',
    source: 'interface',
    basis: 'The internal user id is no field of the calls.',
    party: 'auth-server',
    level: 'MUST',
    text: 'No request to the EHR server has a member internalUserId.',
  },

  // §2.4 Exchange token
  {
    id: '2.4-parameter-name',
    clause: '§2.4',
    source: 'interface',
    basis: 'The exchange token is a text, called exchangeToken in the parameters.',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'The exchange token is sent to the EHR server as a string, in the parameter exchangeToken.',
  },
  {
    id: '2.4-known-to-both',
    clause: '§2.4',
    source: 'interface',
    basis:
      'The exchange token is known to client and EHR server, and the authorization server sends it to both.',
    party: 'auth-server',
    level: 'MUST',
    text: 'A client is never left with an exchange token that the EHR server has not been sent.',
  },
  {
    id: '2.4-remembered',
    clause: '§2.4, §4.2',
    source: 'interface',
    basis: 'The EHR server must remember the exchange token, for ten minutes.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A saved exchange token that is not used is remembered for its ten minutes.',
  },

  // §2.5 Patient properties
  {
    id: '2.5-names',
    clause: '§2.5',
    source: 'interface',
    basis: 'The properties have name, the given name, and surname, the family name, both as text.',
    party: 'client',
    level: 'MUST',
    text: "patientProperties.name and surname, where sent, are strings: the patient's given name and family name.",
  },
  {
    id: '2.5-date',
    clause: '§2.5',
    source: 'interface',
    basis: 'The properties have date, the date of birth.',
    party: 'client',
    level: 'MUST',
    text: 'patientProperties.date, where sent, is the date of birth, as a string.',
  },
  {
    id: '2.5-date-form',
    clause: '§2.5',
    source: 'interface',
    basis: 'The date has the form YYYY-MM-DD hh:mm:ss.mmm.',
    party: 'client',
    level: 'SHOULD',
    text: 'patientProperties.date is written as YYYY-MM-DD hh:mm:ss.mmm.',
  },
  {
    id: '2.5-gender',
    clause: '§2.5',
    source: 'interface',
    basis: 'The properties have gender, an integer.',
    party: 'client',
    level: 'MUST',
    text: 'patientProperties.gender, where sent, is an integer.',
  },
  {
    id: '2.5-phone',
    clause: '§2.5',
    source: 'interface',
    basis: 'The properties have phone, a text of digits only.',
    party: 'client',
    level: 'MUST',
    text: 'patientProperties.phone, where sent, is a string of digits and nothing else.',
  },

  // §2.6 Patient record and user signature
  {
    id: '2.6-sign-is-string',
    clause: '§2.6',
    source: 'interface',
    basis: 'The reply of patient.get_patient has the user signature, a text.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'patient.get_patient returns the user signature, and it is a string.',
  },
] as const satisfies readonly Requirement[];

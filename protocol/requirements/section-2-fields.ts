/** Requirements of §2: the envelope, the credentials and the records on the wire. */
import type { Requirement } from './requirement.ts';

export const section2 = [
  // §2.1 Request envelope
  {
    id: '2.1-jsonrpc-sent',
    clause: '§2.1',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'Every request to the EHR server has the member jsonrpc with the string 2.0.',
  },
  {
    id: '2.1-jsonrpc-checked',
    clause: '§2.1',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A request whose jsonrpc is missing or anything but the string 2.0 is refused as invalid_request.',
  },
  {
    id: '2.1-id-sent',
    clause: '§2.1',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'Every request whose reply matters carries an id, and calls in flight at the same time have different ids.',
  },
  {
    id: '2.1-id-echoed',
    clause: '§2.1',
    party: 'ehr-server',
    level: 'MUST',
    text: 'The reply carries the id of the request it answers, in success and in error.',
  },
  {
    id: '2.1-method-sent',
    clause: '§2.1',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'Every request names its operation in the string member method.',
  },
  {
    id: '2.1-method-checked',
    clause: '§2.1',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A request whose method is missing or not a string is refused as invalid_request.',
  },
  {
    id: '2.1-params-sent',
    clause: '§2.1',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'The parameters of a request stand in the member params, by name.',
  },
  {
    id: '2.1-params-checked',
    clause: '§2.1',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A request whose params are a string, a number, a boolean or a list with elements is refused.',
  },
  {
    id: '2.1-cred-sent',
    clause: '§2.1',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'The credentials of a request stand in the object member cred, on the operations that call for them.',
  },

  // §2.2 cred
  {
    id: '2.2-user-names-caller',
    clause: '§2.2',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'cred.user and cred.token are strings; the user names the caller, who is the end user or the internal user.',
  },
  {
    id: '2.2-cred-checked',
    clause: '§2.2',
    party: 'ehr-server',
    level: 'MUST',
    text: 'Where a cred is called for, one that is no object, or lacks a user or token that is a string, is refused.',
  },
  {
    id: '2.2-digest-shape',
    clause: '§2.2',
    party: 'auth-server',
    level: 'MUST',
    text: "The authorization server's cred.token consists of exactly 40 characters from 0-9 and a-f.",
  },
  {
    id: '2.2-digest-shape-checked',
    clause: '§2.2',
    party: 'ehr-server',
    level: 'MUST',
    text: 'An internal call whose cred.token is not 40 lowercase hexadecimal characters is refused.',
  },

  // §2.3 Session record
  {
    id: '2.3-user',
    clause: '§2.3',
    party: 'auth-server',
    level: 'MUST',
    text: 'authInfo.user is a string that identifies the end user, the one handed to the client at sign-in.',
  },
  {
    id: '2.3-token',
    clause: '§2.3',
    party: 'auth-server',
    level: 'MUST',
    text: 'authInfo.token is a string: the session token handed to the client at sign-in.',
  },
  {
    id: '2.3-token-unique',
    clause: '§2.3',
    party: 'auth-server',
    level: 'MUST',
    text: 'No two sessions are given the same session token, whoever their users are.',
  },
  {
    id: '2.3-ttl',
    clause: '§2.3',
    party: 'auth-server',
    level: 'MUST',
    text: 'authInfo.ttl is a JSON integer that states how long the session record lives.',
  },
  {
    id: '2.3-auth-info-checked',
    clause: '§2.3',
    party: 'ehr-server',
    level: 'MUST',
    text: 'An authInfo whose user, token or ttl is missing or of the wrong type is refused as invalid_params.',
  },
  {
    id: '2.3-internal-id-added',
    clause: '§2.3',
    party: 'auth-server',
    level: 'MUST',
    text: 'The internal user id from the correspondence table is kept with the user, token and ttl of the session.',
    excluded: 'Kept inside the authorization server; the wire shows only that a missing entry is an error.',
  },
  {
    id: '2.3-internal-id-not-sent',
    clause: '§2.3',
    party: 'auth-server',
    level: 'MUST',
    text: 'No request to the EHR server has a member internalUserId.',
  },

  // §2.4 Exchange token
  {
    id: '2.4-parameter-name',
    clause: '§2.4',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'The exchange token is sent to the EHR server as a string, in the parameter exchangeToken.',
  },
  {
    id: '2.4-known-to-both',
    clause: '§2.4',
    party: 'auth-server',
    level: 'MUST',
    text: 'A client is never left with an exchange token that the EHR server has not been sent.',
  },
  {
    id: '2.4-remembered',
    clause: '§2.4',
    party: 'ehr-server',
    level: 'MUST',
    text: 'An acknowledged exchange token is remembered until it is used or expires, across a restart too.',
  },

  // §2.5 Patient properties
  {
    id: '2.5-names',
    clause: '§2.5',
    party: 'client',
    level: 'MUST',
    text: "patientProperties.name and surname are strings: the patient's given name and family name.",
  },
  {
    id: '2.5-date',
    clause: '§2.5',
    party: 'client',
    level: 'MUST',
    text: 'patientProperties.date is the date of birth, written as YYYY-MM-DD hh:mm:ss.mmm.',
  },
  {
    id: '2.5-gender',
    clause: '§2.5',
    party: 'client',
    level: 'MUST',
    text: 'patientProperties.gender, where sent, is an integer code.',
  },
  {
    id: '2.5-phone',
    clause: '§2.5',
    party: 'client',
    level: 'MUST',
    text: 'patientProperties.phone is a string of digits and nothing else.',
  },
  {
    id: '2.5-types-checked',
    clause: '§2.5',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A patient property of the wrong type or format is refused as invalid_params.',
  },

  // §2.6 Patient record and user signature
  {
    id: '2.6-sign-is-string',
    clause: '§2.6',
    party: 'ehr-server',
    level: 'MUST',
    text: 'The user signature is a string, in the member user_sign next to the patient data.',
  },
] as const satisfies readonly Requirement[];

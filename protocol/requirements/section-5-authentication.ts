/** Requirements of §5: authentication. */
import type { Requirement } from './requirement.ts';

export const section5 = [
  // §5.1 Calls from the authorization server
  {
    id: '5.1-user',
    clause: '§5.1',
    source: 'interface',
    basis: 'The user in the cred is the internal user name of the authorization server.',
    party: 'auth-server',
    level: 'MUST',
    text: "cred.user of an internal call is the authorization server's internal user name.",
  },
  {
    id: '5.1-user-checked',
    clause: '§5.1, §3',
    source: 'interface',
    basis: 'A valid cred has the internal user name of the authorization server as its user.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'An internal call under another user name is refused, even when its digest is right.',
  },
  {
    id: '5.1-digest',
    clause: '§5.1',
    source: 'interface',
    basis:
      'The token in the cred is the SHA-1 digest, in lowercase hexadecimal, of the internal password and the user_sign.',
    party: 'auth-server',
    level: 'MUST',
    text: 'cred.token of save_auth_info is the SHA-1 of internal password and user_sign, in lowercase hexadecimal.',
  },
  {
    id: '5.1-digest-order',
    clause: '§5.1, §5.2',
    source: 'interface',
    basis: 'The password comes first and the secret second, without a separator.',
    party: 'auth-server',
    level: 'MUST',
    text: 'In the digested string the internal password stands first and the secret directly behind it, unseparated.',
  },
  {
    id: '5.1-digest-of-own-sign',
    clause: '§5.1',
    source: 'interface',
    basis: 'The digest is over the user_sign of the end user.',
    party: 'auth-server',
    level: 'MUST',
    text: 'The user_sign in the digest of save_auth_info is that of the very user whose session is saved.',
  },
  {
    id: '5.1-digest-verified',
    clause: '§5.1, §3',
    source: 'interface',
    basis:
      'A valid cred has the digest of the internal password followed by the user_sign, without a separator.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'save_auth_info is refused when its digest is over another password, order, separator or secret.',
  },
  {
    id: '5.1-secrets-not-in-clear',
    clause: 'good practice, §5.1',
    source: 'practice',
    risk: 'somebody who reads the internal channel or a log of it saves a session for every user',
    party: 'auth-server',
    level: 'MUST',
    text: 'On the internal channel the internal password and the user_sign appear nowhere but inside the digest.',
  },

  // §5.2 Exchange token storage
  {
    id: '5.2-digest',
    clause: '§5.2',
    source: 'interface',
    basis:
      'The token in the cred of save_exchange_token is the same kind of digest, over the internal password followed by the exchange token.',
    party: 'auth-server',
    level: 'MUST',
    text: 'cred.token of save_exchange_token is the same kind of digest over internal password and exchange token.',
  },
  {
    id: '5.2-digest-verified',
    clause: '§5.2, §3',
    source: 'interface',
    basis:
      'A valid cred of save_exchange_token has the digest of the internal password followed by that exchange token.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'save_exchange_token is refused when its digest is over anything but the exchange token it carries.',
  },

  // §5.3 Why the signature exists
  {
    id: '5.3-header-opens-nothing',
    clause: '§5.3, §4.1, §4.2',
    source: 'interface',
    basis: 'Header authentication would give access to all data, so a cred with the digest is required.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'An Authorization header, Basic or Bearer, does not take the place of the cred of an internal call.',
  },
  {
    id: '5.3-own-sign-needed',
    clause: '§5.3, §1 rule 9',
    source: 'interface',
    basis: 'The data of each user needs the user_sign of that user.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'Whoever holds the internal password and one user_sign saves no session for the user of another.',
  },

  // §5.4 Calls from the client
  {
    id: '5.4-authenticate-no-cred',
    clause: '§5.4',
    source: 'interface',
    basis: 'authenticate carries no cred.',
    party: 'client',
    level: 'MUST',
    text: 'The client sends authenticate without a cred.',
  },
  {
    id: '5.4-authenticate-identified',
    clause: '§5.4, §4.3',
    source: 'interface',
    basis: 'authenticate carries no cred: identification rests on exchange token and properties.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'authenticate needs no cred: the exchange token and the properties identify the user.',
  },
  {
    id: '5.4-removals-cred',
    clause: '§5.4, §4.5, §4.6',
    source: 'interface',
    basis: 'The cred of both removals carries user and token of the session.',
    party: 'client',
    level: 'MUST',
    text: 'The client sends both removals with the user and token it was handed at sign-in.',
  },
  {
    id: '5.4-removals-cred-checked',
    clause: '§5.4, §4.5, §4.6',
    source: 'interface',
    basis: 'The cred of a removal carries user and token of the session that it removes.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A removal without a cred, or with one that is no stored session, removes nothing.',
  },
] as const satisfies readonly Requirement[];

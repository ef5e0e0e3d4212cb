/** Requirements of §5 to §9: authentication, events, errors, limits and versioning. */
import type { Requirement } from './requirement.ts';

export const sections5to9 = [
  // §5 Authentication
  {
    id: '5-two-levels',
    clause: '§5',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'Internal calls are authenticated by a digest, client calls by a session or an exchange token.',
    excluded: 'An overview; the rows of 5.1, 5.2 and 5.4 state each level.',
  },

  // §5.1 Calls from the authorization server
  {
    id: '5.1-user',
    clause: '§5.1',
    source: 'interface',
    party: 'auth-server',
    level: 'MUST',
    text: "cred.user of an internal call is the authorization server's internal user name.",
  },
  {
    id: '5.1-user-checked',
    clause: '§5.1',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'An internal call under another user name is refused, even when its digest is right.',
  },
  {
    id: '5.1-digest',
    clause: '§5.1',
    source: 'interface',
    party: 'auth-server',
    level: 'MUST',
    text: 'cred.token of save_auth_info is the SHA-1 of internal password and user_sign, in lowercase hexadecimal.',
  },
  {
    id: '5.1-digest-order',
    clause: '§5.1',
    source: 'interface',
    party: 'auth-server',
    level: 'MUST',
    text: 'In the digested string the internal password stands first and the secret directly behind it, unseparated.',
  },
  {
    id: '5.1-digest-of-own-sign',
    clause: '§5.1',
    source: 'interface',
    party: 'auth-server',
    level: 'MUST',
    text: 'The user_sign in the digest of save_auth_info is that of the very user whose session is saved.',
  },
  {
    id: '5.1-digest-verified',
    clause: '§5.1',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'save_auth_info is refused when its digest is over another password, order, separator or secret.',
  },
  {
    id: '5.1-secrets-not-in-clear',
    clause: '§5.1',
    source: 'interface',
    party: 'auth-server',
    level: 'MUST',
    text: 'On the internal channel the internal password and the user_sign appear nowhere but inside the digest.',
  },

  // §5.2 Exchange token storage
  {
    id: '5.2-digest',
    clause: '§5.2',
    source: 'interface',
    party: 'auth-server',
    level: 'MUST',
    text: 'cred.token of save_exchange_token is the same kind of digest over internal password and exchange token.',
  },
  {
    id: '5.2-digest-verified',
    clause: '§5.2',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'save_exchange_token is refused when its digest is over anything but the exchange token it carries.',
  },

  // §5.3 Why the signature exists
  {
    id: '5.3-rationale',
    clause: '§5.3',
    source: 'interface',
    party: ['auth-server', 'ehr-server'],
    level: 'MUST',
    text: 'The digest stands in for header authentication, which would open every clinic to a stolen password.',
    excluded:
      'Rationale; what follows from it is tested as 5.3-header-opens-nothing and 5.3-own-sign-needed.',
  },
  {
    id: '5.3-header-opens-nothing',
    clause: '§5.3',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'An Authorization header, Basic or Bearer, does not take the place of the cred of an internal call.',
  },
  {
    id: '5.3-own-sign-needed',
    clause: '§5.3, §1 rule 9',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'Whoever holds the internal password and one user_sign saves no session for the user of another.',
  },

  // §5.4 Calls from the client
  {
    id: '5.4-authenticate-no-cred',
    clause: '§5.4',
    source: 'interface',
    party: 'client',
    level: 'MUST',
    text: 'The client sends authenticate without a cred.',
  },
  {
    id: '5.4-authenticate-identified',
    clause: '§5.4, §4.3',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'authenticate is identified by exchange token and properties: it needs no cred, and a well-formed one alters nothing.',
  },
  {
    id: '5.4-removals-cred',
    clause: '§5.4, §4.5, §4.6',
    source: 'interface',
    party: 'client',
    level: 'MUST',
    text: 'The client sends both removals with the user and token it was handed at sign-in.',
  },
  {
    id: '5.4-removals-cred-checked',
    clause: '§5.4',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A removal without a cred, or with one that is no stored session, is refused and removes nothing.',
  },

  // §6 Events
  {
    id: '6-no-events',
    clause: '§6',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'The EHR server answers calls and sends nothing of its own accord.',
    excluded: 'The interface describes no event, callback or notification, so there is none to test.',
  },

  // §7 Errors
  {
    id: '7-not-authenticated',
    clause: '§7',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'The error for a user who is not authenticated is one the client can tell apart as a call to link.',
  },
  {
    id: '7-exchange-token-unknown',
    clause: '§7',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'authenticate with an exchange token that was never stored is an error.',
  },
  {
    id: '7-client-handles-errors',
    clause: '§7',
    source: 'interface',
    party: 'client',
    level: 'MUST',
    text: 'Each error of authenticate is shown to the user in words, with a way onward.',
  },

  // §8 Limits
  {
    id: '8-exchange-token-lifetime',
    clause: '§8, §2.4, §4.2',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'authenticate takes an exchange token for ten minutes after save_exchange_token, and no longer.',
  },
  {
    id: '8-token-used-once',
    clause: '§8',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'One token value makes one session, however often it is offered to save_auth_info.',
  },

  // §9 Versioning
  {
    id: '9-version-in-path',
    clause: '§9, §4',
    source: 'interface',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'Calls go to the base URL, directly followed by the version segment and a slash.',
  },
  {
    id: '9-pre-release-label',
    clause: '§9',
    source: 'interface',
    party: 'ehr-server',
    level: 'MAY',
    text: 'The version segment is a pre-release label.',
  },
] as const satisfies readonly Requirement[];

/** Requirements of §7 to §9: errors, limits and versioning. */
import type { Requirement } from './requirement.ts';

export const sections7to9 = [
  // §7 Errors
  {
    id: '7-not-authenticated',
    clause: '§7',
    source: 'interface',
    basis: 'The error tells the client to run the exchange-token flow.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'The error for a user who is not authenticated is one the client can tell apart as a call to link.',
  },
  {
    id: '7-exchange-token-unknown',
    clause: '§7',
    source: 'interface',
    basis: 'An unknown exchange token is an error of authenticate.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'authenticate with an exchange token that was never stored is an error.',
  },
  {
    id: '7-client-handles-errors',
    clause: '§7',
    source: 'interface',
    basis: 'The client must handle the errors of authenticate.',
    party: 'client',
    level: 'MUST',
    text: 'The client handles each error of authenticate: it takes none for a success, and goes on.',
  },

  // §8 Limits
  {
    id: '8-exchange-token-lifetime',
    clause: '§8, §2.4, §4.2',
    source: 'interface',
    basis: 'The lifetime of an exchange token is ten minutes, from save_exchange_token to authenticate.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'authenticate takes an exchange token for ten minutes after save_exchange_token, and no longer.',
  },
  {
    id: '8-token-used-once',
    clause: '§8',
    source: 'interface',
    basis: 'A session token is used once.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'One token value makes one session, however often it is offered to save_auth_info.',
  },

  // §9 Versioning
  {
    id: '9-version-in-path',
    clause: '§9, §4',
    source: 'interface',
    basis: 'The path carries a version segment, placed after the base URL.',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'Calls go to the base URL, directly followed by the version segment.',
  },
  {
    id: '9-pre-release-label',
    clause: '§9',
    source: 'interface',
    basis: 'The version may be a pre-release label.',
    party: 'ehr-server',
    level: 'MAY',
    text: 'The version segment is a pre-release label.',
  },
] as const satisfies readonly Requirement[];

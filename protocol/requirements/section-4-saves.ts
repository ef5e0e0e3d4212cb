/** Requirements of §4, §4.1 and §4.2: the endpoint, and the two methods of the authorization server. */
import type { Requirement } from './requirement.ts';

export const section4Saves = [
  // §4 Endpoint and reply shape
  {
    id: '4-one-endpoint',
    clause: '§4',
    party: 'ehr-server',
    level: 'MUST',
    text: 'All methods are served at one and the same path, and the member method alone chooses among them.',
  },
  {
    id: '4-post-json',
    clause: '§4',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'Every call is an HTTP POST whose body is JSON.',
  },
  {
    id: '4-empty-result',
    clause: '§4, §4.5, §4.6',
    party: 'ehr-server',
    level: 'MUST',
    text: 'The success reply of a removal has jsonrpc 2.0, an empty object as result, and the id.',
  },
  {
    id: '4-id-as-string',
    clause: '§4, decision 3',
    party: 'ehr-server',
    level: 'MUST',
    text: 'With replyId=string, the default, a number id comes back as a string.',
  },

  // §4.1 embedded_storage.save_auth_info
  {
    id: '4.1-internal-channel',
    clause: '§4.1',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'save_auth_info is sent by the authorization server alone, over the internal channel.',
  },
  {
    id: '4.1-cred-required',
    clause: '§4.1, §3',
    party: 'ehr-server',
    level: 'MUST',
    text: 'save_auth_info without a cred is refused and stores no session.',
  },
  {
    id: '4.1-params',
    clause: '§4.1',
    party: 'auth-server',
    level: 'MUST',
    text: 'The params of save_auth_info have the object authInfo with user, token and ttl.',
  },
  {
    id: '4.1-token-unique',
    clause: '§4.1, §2.3',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A token stored for one user is refused when it is saved for another.',
  },
  {
    id: '4.1-repeat-refused',
    clause: '§4.1, §7',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A repeated save of a stored token is refused.',
  },

  // §4.2 embedded_storage.save_exchange_token
  {
    id: '4.2-internal-channel',
    clause: '§4.2',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'save_exchange_token is sent by the authorization server alone, over the internal channel.',
  },
  {
    id: '4.2-cred-required',
    clause: '§4.2, §3',
    party: 'ehr-server',
    level: 'MUST',
    text: 'save_exchange_token without a cred is refused and stores no exchange token.',
  },
  {
    id: '4.2-params',
    clause: '§4.2',
    party: 'auth-server',
    level: 'MUST',
    text: 'The params of save_exchange_token have the string exchangeToken and an authInfo with user, token and ttl.',
  },
  {
    id: '4.2-params-checked',
    clause: '§4.2',
    party: 'ehr-server',
    level: 'MUST',
    text: 'save_exchange_token without an exchangeToken or without an authInfo is refused as invalid_params.',
  },
  {
    id: '4.2-binds-auth-info',
    clause: '§4.2, §2.4, §1 rule 4',
    party: 'ehr-server',
    level: 'MUST',
    text: 'An exchange token opens the session of the authInfo saved with it, and no other.',
  },
  {
    id: '4.2-asking-session',
    clause: '§4.2',
    party: 'auth-server',
    level: 'MUST',
    text: 'The authInfo sent with an exchange token is that of the session whose client asked for it.',
  },
] as const satisfies readonly Requirement[];

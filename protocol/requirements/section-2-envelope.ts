/** Requirements of §2.1 and §2.2: the envelope and the credentials. */
import type { Requirement } from './requirement.ts';

export const section2Envelope = [
  // §2.1 Request envelope
  {
    id: '2.1-jsonrpc-sent',
    clause: '§2.1',
    source: 'interface',
    basis: 'A request has jsonrpc, always the text 2.0.',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'Every request to the EHR server has the member jsonrpc with the string 2.0.',
  },
  {
    id: '2.1-id-sent',
    clause: '§2.1',
    source: 'interface',
    basis: 'A request has an id, which identifies it.',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'Every request to the EHR server has an id.',
  },
  {
    id: '2.1-id-echoed',
    clause: '§2.1',
    source: 'interface',
    basis: 'The id of the request is echoed in the reply.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'The reply carries the id of the request that it answers.',
  },
  {
    id: '2.1-method-sent',
    clause: '§2.1',
    source: 'interface',
    basis: 'A request has method, a text with the name of the operation.',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'Every request to the EHR server names its operation in the string member method.',
  },
  {
    id: '2.1-params-sent',
    clause: '§2.1',
    source: 'interface',
    basis: 'A request has params, an object with the parameters.',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'The parameters of a request to the EHR server stand in the member params, by name.',
  },
  {
    id: '2.1-cred-sent',
    clause: '§2.1',
    source: 'interface',
    basis: 'Some operations have cred, an object with the credentials.',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'The credentials of a request stand in the object member cred, on the operations that call for them.',
  },

  // §2.2 cred
  {
    id: '2.2-user-names-caller',
    clause: '§2.2',
    source: 'interface',
    basis: 'A cred has user, a text that identifies the caller, and token, a text.',
    party: ['client', 'auth-server'],
    level: 'MUST',
    text: 'cred.user and cred.token are strings; the user names the caller, who is the end user or the internal user.',
  },
  {
    id: '2.2-digest-shape',
    clause: '§2.2',
    source: 'interface',
    basis: 'The token of the authorization server is a digest of 40 lowercase hexadecimal characters.',
    party: 'auth-server',
    level: 'MUST',
    text: "The authorization server's cred.token consists of exactly 40 characters from 0-9 and a-f.",
  },
] as const satisfies readonly Requirement[];

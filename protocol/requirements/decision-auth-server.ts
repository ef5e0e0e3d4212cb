/** Requirements of the authorization server's own interface, which the interface leaves open. */
import type { Requirement } from './requirement.ts';

export const decisionAuthServer = [
  // The authorization server's own interface
  {
    id: 'DA-endpoint',
    clause: 'decision A',
    source: 'decision',
    party: 'auth-server',
    level: 'MUST',
    text: 'The mock authorization server answers JSON-RPC 2.0 calls posted to its root path.',
  },
  {
    id: 'DA-cors',
    clause: 'decision A',
    source: 'decision',
    party: 'auth-server',
    level: 'MUST',
    text: 'A browser on a configured origin may call the mock authorization server with credentials, and no other may.',
  },
  {
    id: 'DA-test-login',
    clause: 'decision A',
    source: 'decision',
    party: 'auth-server',
    level: 'MUST',
    text: 'With --allow-test-login, auth.login with a user and perhaps ehr_user_sign results in authInfo, without a code.',
  },
  {
    id: 'DA-test-login-off',
    clause: 'decision A',
    source: 'decision',
    party: 'auth-server',
    level: 'MUST',
    text: 'Without --allow-test-login, there is no method auth.login.',
  },
  {
    id: 'DA-exchange-token-array-params',
    clause: 'decision A',
    source: 'decision',
    party: 'auth-server',
    level: 'MUST',
    text: 'auth.exchange_token is carried out when its params are an empty list.',
  },
  {
    id: 'DA-outbox',
    clause: 'decision A',
    source: 'decision',
    party: 'auth-server',
    level: 'MUST',
    text: 'GET /outbox?to=PHONE lists the messages sent to that phone as to, text, code and at, newest first.',
  },
  {
    id: 'DA-outbox-wait',
    clause: 'decision A',
    source: 'decision',
    party: 'auth-server',
    level: 'MUST',
    text: 'With wait=SECONDS the outbox answers at once when it has a message, else as soon as one comes.',
  },
  {
    id: 'DA-outbox-page',
    clause: 'decision A',
    source: 'decision',
    party: 'auth-server',
    level: 'MUST',
    text: 'A page shows the messages of the outbox as they arrive.',
  },
  {
    id: 'DA-internal-credentials',
    clause: 'decision A',
    source: 'decision',
    party: ['auth-server', 'ehr-server'],
    level: 'MUST',
    text: 'Both servers read the internal user and password as UTF-8 from EHR_INTERNAL_USER and EHR_INTERNAL_PASSWORD.',
  },
] as const satisfies readonly Requirement[];

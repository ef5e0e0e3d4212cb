/** The bodies of requests. Each is made from a sequence number, so that no two are equal. */
import { hash } from 'node:crypto';
import {
  digits,
  INTERNAL_PASSWORD,
  INTERNAL_USER,
  sessionTokenOf,
  userOf,
  userSignOf,
} from '../data/identities.ts';

/** The requests of one slice. */
export type RequestPlan =
  | { kind: 'get_patient'; sessions: number; users: number }
  | { kind: 'save_auth_info' | 'save_exchange_token'; users: number }
  /** A call that every server refuses without using its database. */
  | { kind: 'unknown_method' }
  /** A token of an OAuth 2 server, by client credentials. */
  | { kind: 'oauth_token' };

export type Requests = {
  path: string;
  type: string;
  body: (sequence: number) => string;
  /** A text that every reply must contain. */
  expect: string;
};

/** Digests are made once for so many users, because they would cost the generator more than the call. */
const SIGNED_USER_COUNT = 4_096;

export function requestsOf(plan: RequestPlan): Requests {
  const calls = { path: '/1.0-alpha/', type: 'application/json', expect: '"result":' };
  switch (plan.kind) {
    case 'get_patient': {
      const pick = spread(plan.sessions);
      const callOf = (session: number) =>
        `{"jsonrpc":"2.0","id":1,"method":"patient.get_patient","params":{},"cred":{"user":"${userOf(session % plan.users)}","token":"${sessionTokenOf(session)}"}}`;
      return { ...calls, body: (sequence) => callOf(pick(sequence)) };
    }
    case 'save_auth_info': {
      const users = Math.min(plan.users, SIGNED_USER_COUNT);
      const creds = Array.from({ length: users }, (_, user) => credOf(userSignOf(user)));
      const body = (sequence: number) =>
        `{"jsonrpc":"2.0","id":1,"method":"embedded_storage.save_auth_info","params":{"authInfo":${authInfo('session', sequence, users)}},"cred":${creds[sequence % users]}}`;
      return { ...calls, body };
    }
    case 'save_exchange_token': {
      const body = (sequence: number) => {
        const token = savedTokenOf('exchange', sequence);
        return `{"jsonrpc":"2.0","id":1,"method":"embedded_storage.save_exchange_token","params":{"exchangeToken":"${token}","authInfo":${authInfo('announced', sequence, plan.users)}},"cred":${credOf(token)}}`;
      };
      return { ...calls, body };
    }
    case 'unknown_method': {
      const cred = { user: 'somebody', token: 'something' };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'patient.unknown', params: {}, cred });
      return { ...calls, body: () => body, expect: '-32601' };
    }
    case 'oauth_token': {
      const body = () => 'grant_type=client_credentials&client_id=bench&client_secret=bench';
      return { path: '/token', type: 'application/x-www-form-urlencoded', body, expect: '"access_token":' };
    }
  }
}

function authInfo(what: string, sequence: number, users: number): string {
  return `{"user":"${userOf(sequence % users)}","token":"${savedTokenOf(what, sequence)}","ttl":600}`;
}

function credOf(secret: string): string {
  return `{"user":"${INTERNAL_USER}","token":"${hash('sha1', INTERNAL_PASSWORD + secret, 'hex')}"}`;
}

/** Returns a token that is in no database before it is sent. */
function savedTokenOf(what: string, sequence: number): string {
  return `${what}-token-saved-by-the-benchmark-${digits(sequence)}`;
}

/** Visits all of `count` numbers before one repeats, in steps that share no factor with the count. */
function spread(count: number): (sequence: number) => number {
  let step = Math.max(1, Math.floor(count * 0.6180339887));
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b));
  while (divisor(step, count) !== 1) step++;
  return (sequence) => (sequence * step) % count;
}

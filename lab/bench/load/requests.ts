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

export type RequestKind = 'get_patient' | 'save_auth_info' | 'save_exchange_token';

/** The requests of one slice, of users who have a session each. */
export type RequestPlan = { kind: RequestKind; sessions: number };

/** Digests are made once for so many users, because they would cost the generator more than the call. */
const SIGNED_USER_COUNT = 4_096;

export function bodiesOf({ kind, sessions }: RequestPlan): (sequence: number) => string {
  const pick = spread(sessions);
  const users = Math.min(sessions, SIGNED_USER_COUNT);
  const creds =
    kind === 'save_auth_info' ? Array.from({ length: users }, (_, user) => credOf(userSignOf(user))) : [];
  const bodies: Readonly<Record<RequestKind, (sequence: number) => string>> = {
    get_patient(sequence) {
      const user = pick(sequence);
      const cred = `{"user":"${userOf(user)}","token":"${sessionTokenOf(user)}"}`;
      return call('patient.get_patient', '{}', cred);
    },
    save_auth_info(sequence) {
      const params = `{"authInfo":${authInfo('session', sequence, users)}}`;
      return call('embedded_storage.save_auth_info', params, creds[sequence % users] as string);
    },
    save_exchange_token(sequence) {
      const token = savedTokenOf('exchange', sequence);
      const params = `{"exchangeToken":"${token}","authInfo":${authInfo('announced', sequence, sessions)}}`;
      return call('embedded_storage.save_exchange_token', params, credOf(token));
    },
  };
  return bodies[kind];
}

function call(method: string, params: string, cred: string): string {
  return `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params},"cred":${cred}}`;
}

function authInfo(what: string, sequence: number, users: number): string {
  return `{"user":"${userOf(sequence % users)}","token":"${savedTokenOf(what, sequence)}","ttl":600}`;
}

function credOf(secret: string): string {
  return `{"user":"${INTERNAL_USER}","token":"${hash('sha1', INTERNAL_PASSWORD + secret, 'hex')}"}`;
}

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

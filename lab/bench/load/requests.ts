/**
 * The bytes of requests: prepared templates, into which the digits of a number are filled when one is sent.
 */
import { hash } from 'node:crypto';
import {
  digits,
  exchangeTokenOf,
  INTERNAL_PASSWORD,
  INTERNAL_USER,
  sessionTokenOf,
  TOKEN_DIGITS,
  userOf,
  userSignOf,
} from '../data/identities.ts';
import type { RequestPlan } from './messages.ts';

/**
 * Returns the bytes for one sequence number. They stay valid until {@link MAX_IN_FLIGHT} further ones were
 * made.
 */
export type RequestMaker = (sequence: number) => Buffer;

/** Maximum number of concurrent requests whose bytes are separate: more than there are ever connections. */
const MAX_IN_FLIGHT = 1024;
const SIGNED_USER_COUNT = 4096;
const ENDPOINT = '/1.0-alpha/';
/** Placeholder of a digest. */
const DIGEST_PLACEHOLDER = 'd'.repeat(40);

/** Returns the maker of a plan's requests, and a text that every reply must contain. */
export function requestsOf(plan: RequestPlan): { make: RequestMaker; expect: string } {
  return { make: makerOf(plan), expect: EXPECTED_TEXTS[plan.kind] ?? '"result":' };
}

const EXPECTED_TEXTS: Partial<Record<RequestPlan['kind'], string>> = {
  unknown_method: '-32601',
  oauth_token: '"access_token":',
};

function makerOf(plan: RequestPlan): RequestMaker {
  switch (plan.kind) {
    case 'get_patient': {
      const pick = numbers(plan.sessions);
      const template = sessionCall('patient.get_patient');
      return (sequence) => template((slot) => fillSession(slot, pick(sequence), plan.users));
    }
    case 'remove_auth_info': {
      const template = sessionCall('embedded_storage.remove_auth_info');
      return (sequence) => template((slot) => fillSession(slot, sequence, plan.users));
    }
    case 'remove_authentication': {
      const template = sessionCall('embedded_storage.remove_authentication');
      return (sequence) => template((slot) => fillSession(slot, sequence, Number.POSITIVE_INFINITY));
    }
    case 'save_auth_info':
      return saves(Math.min(plan.users, SIGNED_USER_COUNT));
    case 'save_exchange_token':
      return exchangeTokens(plan.users);
    case 'authenticate':
      return authentications(plan.patients);
    case 'unknown_method': {
      const request = post(callText('patient.unknown', {}, { user: 'somebody', token: 'something' }));
      return () => request;
    }
    case 'oauth_token': {
      const body = 'grant_type=client_credentials&client_id=bench&client_secret=bench';
      const request = post(body, '/token', 'application/x-www-form-urlencoded');
      return () => request;
    }
  }
}

type Fill = (mark: string, value: string) => void;
type Template = (fill: (slot: Fill) => void) => Buffer;

/** A call by the holder of a session. User and token are filled in. */
function sessionCall(method: string): Template {
  const cred = { user: userOf(0), token: sessionTokenOf(0) };
  return templateOf(post(callText(method, {}, cred)), { user: cred.user, token: cred.token });
}

function fillSession(slot: Fill, session: number, users: number): void {
  slot('user', digits(session % users));
  slot('token', digits(session));
}

/** Makes requests of many users, complete except for the token, which is new each time. */
function saves(users: number): RequestMaker {
  const ready = Array.from({ length: users }, (_, user) => {
    const authInfo = { user: userOf(user), token: savedTokenOf(0), ttl: 600 };
    const cred = { user: INTERNAL_USER, token: hash('sha1', INTERNAL_PASSWORD + userSignOf(user), 'hex') };
    return templateOf(post(callText('embedded_storage.save_auth_info', { authInfo }, cred)), { token: authInfo.token });
  });
  return (sequence) => (ready[sequence % users] as Template)((slot) => slot('token', digits(sequence)));
}

function exchangeTokens(users: number): RequestMaker {
  const params = {
    exchangeToken: savedTokenOf(0, 'exchange'),
    authInfo: { user: userOf(0), token: savedTokenOf(0, 'announced'), ttl: 600 },
  };
  const template = templateOf(
    post(callText('embedded_storage.save_exchange_token', params, { user: INTERNAL_USER, token: DIGEST_PLACEHOLDER })),
    {
      exchange: params.exchangeToken,
      token: params.authInfo.token,
      user: params.authInfo.user,
      digest: DIGEST_PLACEHOLDER,
    },
  );
  return (sequence) =>
    template((slot) => {
      slot('exchange', digits(sequence));
      slot('token', digits(sequence));
      slot('user', digits(sequence % users));
      slot('digest', hash('sha1', INTERNAL_PASSWORD + savedTokenOf(sequence, 'exchange'), 'hex'));
    });
}

function authentications(patients: Extract<RequestPlan, { kind: 'authenticate' }>['patients']): RequestMaker {
  const ready = patients.map(({ name, surname, birthdate, phones: [phone] }) => {
    const patientProperties = {
      name,
      surname,
      date: `${birthdate.slice(0, 10)} 00:00:00.000`,
      phone: phone?.replace(/\D/g, ''),
    };
    const params = { exchangeToken: exchangeTokenOf(0), patientProperties };
    return templateOf(post(callText('embedded_storage.authenticate', params)), { token: params.exchangeToken });
  });
  return (sequence) => (ready[sequence % ready.length] as Template)((slot) => slot('token', digits(sequence)));
}

/** Returns a token that is in no database before it is sent. */
function savedTokenOf(sequence: number, what = 'session'): string {
  return `${what}-token-saved-by-the-benchmark-${digits(sequence)}`;
}

/** Visits all of `count` numbers before one repeats, in steps that share no factor with the count. */
function numbers(count: number): (sequence: number) => number {
  const share = 0.6180339887;
  let step = Math.max(1, Math.floor(count * share));
  while (greatestCommonDivisor(step, count) !== 1) step++;
  return (sequence) => (sequence * step) % count;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function callText(method: string, params: object, cred?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, cred });
}

function post(body: string, path = ENDPOINT, type = 'application/json'): Buffer {
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.from(head + body);
}

/**
 * Finds the positions of the values of `marks` in a request, so that others of the same length can replace
 * them. Of a value that ends in digits, only the digits are replaced.
 */
function templateOf(request: Buffer, marks: Readonly<Record<string, string>>): Template {
  const places = new Map(
    Object.entries(marks).map(([mark, value]) => {
      const start = request.indexOf(`"${value}"`) + 1;
      return [mark, value === DIGEST_PLACEHOLDER ? start : start + value.length - TOKEN_DIGITS];
    }),
  );
  const copies: Buffer[] = [];
  let turn = 0;
  return (fill) => {
    const at = turn++ % MAX_IN_FLIGHT;
    copies[at] ??= Buffer.from(request);
    const copy = copies[at] as Buffer;
    fill((mark, value) => void copy.write(value, places.get(mark) as number, 'latin1'));
    return copy;
  };
}

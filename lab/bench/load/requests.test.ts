import { expect, test } from 'vitest';
import { digest } from '#protocol/wire/digest.ts';
import { INTERNAL_PASSWORD, sessionTokenOf, userOf, userSignOf } from '../data/identities.ts';
import type { RequestPlan } from './messages.ts';
import { requestsOf } from './requests.ts';

/** Parses the body of a request as the server does. Its announced length must be right. */
function bodyOf(request: Buffer) {
  const [head = '', body = ''] = request.toString('utf8').split('\r\n\r\n');
  expect(Number(/Content-Length: (\d+)/.exec(head)?.[1])).toBe(Buffer.byteLength(body));
  return JSON.parse(body);
}

function sent(plan: RequestPlan, sequence: number) {
  return bodyOf(requestsOf(plan).make(sequence));
}

test('get_patient asks for another session each time, by the user whose it is', () => {
  const { make } = requestsOf({ kind: 'get_patient', sessions: 1_000, users: 100 });
  const numbers = Array.from({ length: 1_000 }, (_, sequence) => {
    const { method, cred } = bodyOf(make(sequence));
    const session = Number(cred.token.slice(-10));
    expect(method).toBe('patient.get_patient');
    expect(cred).toEqual({ user: userOf(session % 100), token: sessionTokenOf(session) });
    return session;
  });
  expect(new Set(numbers).size).toBe(1_000);
});

test('save_auth_info carries a new token and the digest over the signature of its user', () => {
  const { params, cred } = sent({ kind: 'save_auth_info', users: 50 }, 75);
  expect(params.authInfo.user).toBe(userOf(25));
  expect(params.authInfo.token).not.toBe(sent({ kind: 'save_auth_info', users: 50 }, 25).params.authInfo.token);
  expect(cred.token).toBe(digest(INTERNAL_PASSWORD, userSignOf(25)));
});

test('save_exchange_token carries two new tokens and the digest over the exchange token', () => {
  const plan: RequestPlan = { kind: 'save_exchange_token', users: 50 };
  const { params, cred } = sent(plan, 123);
  expect(cred.token).toBe(digest(INTERNAL_PASSWORD, params.exchangeToken));
  expect(params.authInfo.user).toBe(userOf(23));
  const other = sent(plan, 124).params;
  expect(other.exchangeToken).not.toBe(params.exchangeToken);
  expect(other.authInfo.token).not.toBe(params.authInfo.token);
});

test('authenticate sends the properties of the patient whose turn it is, in any script', () => {
  const patients = [
    { name: 'Анна', surname: 'Петрова', birthdate: '1985-04-12', phones: ['+7 (999) 000-00-01'] },
    { name: 'Ivan', surname: 'Núñez', birthdate: '1990-01-02', phones: ['+34 600 000 002'] },
  ];
  const { params } = sent({ kind: 'authenticate', patients }, 2);
  expect(params.exchangeToken).toMatch(/0000000002$/);
  expect(params.patientProperties).toEqual({
    name: 'Анна',
    surname: 'Петрова',
    date: '1985-04-12 00:00:00.000',
    phone: '79990000001',
  });
});

test('requests under way at the same time do not share their bytes', () => {
  const { make } = requestsOf({ kind: 'remove_auth_info', users: 10 });
  const first = make(1);
  const before = Buffer.from(first);
  for (let sequence = 2; sequence < 200; sequence++) make(sequence);
  expect(first.equals(before)).toBe(true);
});

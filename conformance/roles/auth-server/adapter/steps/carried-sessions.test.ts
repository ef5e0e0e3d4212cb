import { expect, test } from 'vitest';
import type { Places } from '../../../../engine/party/requests/read-answer.ts';
import type { Answer } from '../../../../engine/party/requests/send.ts';
import { carriedSessions } from './carried-sessions.ts';

const places = { user: '/account/id', token: '/session/bearer', ttl: '/session/minutes' };
const sent = { phone: '79990000001', code: '123456', 'keep.challenge': 'challenge-of-the-request' };
const token = 'k3Jz81xq-Lm0Pv7Rt';

const answering = (body: unknown, headers: [string, string][] = []): Answer => ({
  kind: 'answer',
  status: 401,
  headers: new Headers(headers),
  text: JSON.stringify(body),
});
const found = (answer: Answer, extract: Places = places, keep: Places = {}) =>
  carriedSessions({ extract, keep }, answer, sent);

test('a refusal with user and token of a success carries a session', () => {
  const body = { error: 'code_wrong', account: { id: 'u1' }, session: { bearer: 's1', minutes: 60 } };
  expect(found(answering(body))).toEqual([{ user: 'u1', token: 's1', kept: {} }]);
});

test('a value that a sign-in would have kept shows the session', () => {
  const keep = { bearer: '/access' };
  expect(found(answering({ access: 'b1' }), places, keep)).toEqual([{ token: 'b1', kept: { bearer: 'b1' } }]);
  expect(found(answering({ other: token }), places, keep)).toEqual([{ token, kept: { bearer: token } }]);
});

test('a token-shaped value counts under any name, and in a cookie', () => {
  expect(found(answering({ error: { data: { authInfo: { token } } } }))).toEqual([{ token, kept: {} }]);
  const cookie: [string, string] = ['set-cookie', `sid=${token}; Path=/; HttpOnly`];
  expect(found(answering({ error: 'code_wrong' }, [cookie]))).toEqual([{ token, kept: {} }]);
});

test('what was sent, a sentence, a short name and the user are no session', () => {
  expect(found(answering({ error: 'code_wrong', challenge: sent['keep.challenge'], tries: 4 }))).toEqual([]);
  expect(found(answering({ error: 'This code is wrong, please try again.' }))).toEqual([]);
  expect(found(answering({ account: { id: 'user-0123456789abcdef' } }))).toEqual([]);
});

test('a place that repeats what was sent yields nothing', () => {
  const fromSent = { user: { value: '${phone}' }, token: { value: '${code}' } };
  expect(found(answering({ error: 'code_wrong' }), fromSent)).toEqual([]);
});

test('three values are tried at most', () => {
  expect(found(answering(['a', 'b', 'c', 'd'].map((name) => name + token)))).toHaveLength(3);
});

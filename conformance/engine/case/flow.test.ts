import { expect, test } from 'vitest';
import { request, response } from '../journal/testing/exchanges.ts';
import { Flow } from './flow.ts';
import { tracedCall } from './testing/traces.ts';
import type { TracedCall } from './trace/traced-call.ts';

const TOKEN = 'Kp3xW8mQ2vT7zR5y';

/** A call with this body and this answer, in a group of its own. */
const call = (group: number, body: unknown, answer: unknown = {}): TracedCall =>
  tracedCall(`call ${group}`, {
    ...{ group, request: { ...request(), body: JSON.stringify(body) } },
    response: response(JSON.stringify(answer)),
  });

const flowOf = (calls: readonly TracedCall[]) =>
  new Flow(calls, {
    ...{ isDrawn: () => false, drawsInvented: true },
    internal: { user: 'auth', password: 'secret' },
  });

test('a value of an answer is a variable of later calls alone', () => {
  const flow = flowOf([call(1, {}, { sign: TOKEN }), call(1, {}), call(2, {})]);
  expect(flow.textOf(TOKEN, 1)).toBe(`'${TOKEN}'`);
  expect(flow.textOf(TOKEN, 2)).toBe('sign');
});

test('a value that was sent before an answer repeated it stays as it is', () => {
  const flow = flowOf([call(1, { phone: '79990000001' }, { phone: '79990000001' }), call(2, {})]);
  expect(flow.textOf('79990000001', 1)).toBe(`'79990000001'`);
});

test('an invented value that resembles another one is made of it', () => {
  const near = `${TOKEN.slice(0, -1)}z`;
  const flow = flowOf([call(1, { token: TOKEN }), call(2, { token: near })]);
  expect(flow.jsonOf({ token: near }, 1)).toBe('{ token: token2 }');
  expect(flow.drawn).toEqual([
    { name: 'token', js: 'invented(16)' },
    { name: 'token2', js: 'changedAt(token, -1)' },
  ]);
});

test('a name and a token in base64 are made of their variables', () => {
  const flow = flowOf([call(1, { user: 'u-Wq7nX2bV9kL4', token: TOKEN }), call(2, {})]);
  const basic = `Basic ${Buffer.from(`u-Wq7nX2bV9kL4:${TOKEN}`).toString('base64')}`;
  expect(flow.textOf(basic, 1)).toBe(`'Basic ' + base64(user + ':' + token)`);
});

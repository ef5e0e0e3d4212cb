import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { openRecorder } from '../../../engine/journal/testing/exchanges.ts';
import type { StepInput } from '../adapter/adapter.ts';
import { startFakeServer } from '../adapter/testing/fake-server.ts';
import { patientNumber } from './patients.ts';
import { People } from './people.ts';
import { spoil } from './spoil.ts';
import { type DriverParts, Steps } from './steps.ts';
import type { User } from './users.ts';

/** Steps whose adapter notes what is sent, and answers with a new exchange token each time. */
function opened(ehrEndpoint = '') {
  const recorder = openRecorder();
  const sent: StepInput[] = [];
  const adapter = {
    async perform(_step: string, input: StepInput) {
      const tokens = sent.push(input);
      return { kind: 'done', values: { exchangeToken: `exchange-token-${tokens}` } };
    },
  };
  const { signal } = new AbortController();
  const requests = { take: async () => undefined };
  const parts = {
    adapter,
    recorder,
    clock: systemClock,
    signal,
    requests,
    ehrEndpoint,
    stepTimeoutMs: 5_000,
  };
  return { sent, steps: new Steps(parts as unknown as DriverParts, 'a scenario', () => undefined) };
}

const label = { scenario: 'test', label: 'test' };
const ann = (): User => ({
  name: 'Ann',
  phone: '79995550001',
  patient: patientNumber(0),
  user: 'u',
  token: 't',
});

test('a report has the number of the request that linked the user', async () => {
  const ehr = await startFakeServer();
  const { sent, steps } = opened(ehr.url);
  const user = ann();
  await steps.performNow(user, 'exchangeToken', label);
  const older = user.exchangeToken as string;
  await steps.performNow(user, 'exchangeToken', label);
  const [first, second] = sent.map(({ stepSeq }) => stepSeq);
  for (const [exchangeToken, requestSeq] of [
    [older, first],
    ['exchange-token-2', second],
  ] as const) {
    user.exchangeToken = exchangeToken;
    ehr.answer({ body: { jsonrpc: '2.0', id: requestSeq === first ? 1 : 2, result: { user_sign: 'sign' } } });
    expect((await steps.callEhr(user, 'authenticate', label)).kind).toBe('done');
    await steps.performNow(user, 'reportLink', label);
    expect(sent.at(-1)?.requestSeq).toBe(requestSeq);
  }
});

test.each([
  ['token', { withoutToken: true }, { user: 'u' }],
  ['session', { withoutSession: true }, {}],
] as const)('a step without a %s has nothing of it', async (_what, input, left) => {
  const { sent, steps } = opened();
  await steps.performNow(ann(), 'exchangeToken', label, input);
  expect(sent).toEqual([{ phone: '79995550001', stepSeq: expect.any(String), ...left }]);
});

const draw = () => 0;

test('one character is changed, not at the end of the value', () => {
  expect(spoil('abcdefghij-KLMNOP', 'changed', draw)).toBe('abcdefghij-LLMNOP');
});

test('an invented value has the shape of the right one', () => {
  expect(spoil('3f2a-9e', 'invented', draw)).toBe('4a3b-0f');
});

test('the last character is changed to one with other bits that count', () => {
  const changed = Buffer.from('any 32 bytes, which are 43 signs').toString('base64url');
  expect(spoil(changed, 'last changed', draw).slice(0, -1)).toBe(changed.slice(0, -1));
  expect(Buffer.from(spoil(changed, 'last changed', draw), 'base64url')).not.toEqual(
    Buffer.from(changed, 'base64url'),
  );
  expect(spoil('00ff00ff', 'last changed', draw)).toBe('00ff00fa');
  expect(spoil('abcf', 'last changed', draw)).toBe('abca');
  expect(spoil('xyzf=', 'last changed', draw)).toBe('xyzv=');
});

test('half of the value is left', () => {
  expect(spoil('abcdef', 'cut', draw)).toBe('abc');
});

test('the name of a cookie stays', () => {
  expect(spoil('sid=aBcDeFgHiJkL', 'changed', draw)).toBe('sid=aBcDeFhHiJkL');
});

test('the padding of base64 is no name', () => {
  expect(spoil('aBc==', 'cut', draw)).toBe('aB');
});

const few = (count: number) => new People({ phone: (index) => `7999000000${index}`, count });

test('people are lent as soon as they are free, in order of asking', async () => {
  const people = few(4);
  const first = await people.take(3);
  const told: string[] = [];
  const second = people.take(2).then((taken) => {
    told.push('second');
    return taken;
  });
  const third = people.take(1).then(() => told.push('third'));
  expect(people.takeOneMore()?.phone).toBe('79990000003');
  expect(people.takeOneMore()).toBeUndefined();
  people.giveBack(first);
  expect((await second).map(({ phone }) => phone)).toEqual(['79990000000', '79990000001']);
  await third;
  expect(told).toEqual(['second', 'third']);
});

test('who is spent takes part in nothing else, and nobody waits for them', async () => {
  const people = few(4);
  const all = await people.take(4);
  const next = people.take(4);
  people.spend('79990000002');
  expect(people.count).toBe(3);
  people.giveBack(all);
  expect((await next).map(({ phone }) => phone)).toEqual(['79990000000', '79990000001', '79990000003']);
});

test('a phone of its own means the same patient each time', () => {
  const people = few(4);
  const first = people.patientOfStranger('79995550000');
  expect(people.patientOfStranger('79995550001')).not.toEqual(first);
  expect(people.patientOfStranger('79995550000')).toEqual(first);
});

test('where phones are plenty, nobody is used twice', async () => {
  const people = few(Number.POSITIVE_INFINITY);
  const [ann] = await people.take(1);
  people.giveBack(ann ? [ann] : []);
  const [bea] = await people.take(1);
  expect(bea?.phone).not.toBe(ann?.phone);
});

test('it is remembered when codes were requested for a phone', () => {
  const people = few(1);
  expect(people.codesTo('79990000000')).toEqual([]);
  people.codeSentTo('79990000000', 5);
  people.codeSentTo('79990000000', 9);
  people.codeSentTo('79990000001', 9);
  expect(people.codesTo('79990000000')).toEqual([5, 9]);
  expect(people.codesSince(5)).toBe(2);
});

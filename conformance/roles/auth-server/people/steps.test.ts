import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { Recorder } from '../../../engine/journal/recorder.ts';
import { Knowledge } from '../../../engine/journal/secrets/knowledge.ts';
import type { StepInput } from '../adapter/adapter.ts';
import { startFakeServer } from '../adapter/testing/fake-server.ts';
import { patientNumber } from './patients/patients.ts';
import { type DriverParts, Steps } from './steps.ts';
import type { User } from './users.ts';

/** Steps whose adapter notes what is sent, and answers with a new exchange token each time. */
function opened(ehrEndpoint = '') {
  const recorder = new Recorder(systemClock, new Knowledge('kit', 'password', new Map()));
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

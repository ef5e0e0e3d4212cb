import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { Recorder } from '../../../../engine/journal/recorder.ts';
import { Knowledge } from '../../../../engine/journal/secrets/knowledge.ts';
import { Driver, type DriverParts, type User } from '../driver.ts';
import { patientNumber } from '../patients/patients.ts';

/** A driver that counts the codes taken of the server's rate, and the requests for them. */
function openDriver({ asksForMessages = false } = {}) {
  const seen = { taken: 0, requested: 0 };
  const requests = { taken: 0 };
  const adapter = {
    asksForMessages,
    has: () => true,
    async perform() {
      seen.requested++;
      return { kind: 'done', values: {} };
    },
    messagesTo: async () => 0,
    codeFor: async () => undefined,
  };
  const codes = { take: async () => void seen.taken++, answered: () => undefined };
  const parts = {
    adapter,
    codes,
    recorder: new Recorder(systemClock, new Knowledge('kit', 'password', new Map())),
    clock: systemClock,
    people: { codeSentTo: () => undefined },
    time: { now: () => systemClock.now() },
    found: {},
    requests: { take: async () => void requests.taken++ },
    signal: new AbortController().signal,
    stepTimeoutMs: 5_000,
  };
  return { driver: new Driver(parts as unknown as DriverParts, { id: 'test' }), seen, requests };
}

const user: User = { name: 'Ann', phone: '79995550001', patient: patientNumber(0) };
const label = { scenario: 'test', label: 'test' };

test('each request for a code takes one code of the rate', async () => {
  const { driver, seen } = openDriver();
  await driver.perform(user, 'requestOtp', label);
  expect(seen).toEqual({ taken: 1, requested: 1 });
  await driver.codes.request(user, label);
  expect(seen).toEqual({ taken: 2, requested: 2 });
});

test('a request takes what was reserved, and nothing more', async () => {
  const { driver, seen } = openDriver();
  await driver.codes.reserve(2);
  await driver.perform(user, 'requestOtp', label);
  await driver.codes.request(user, label);
  expect(seen).toEqual({ taken: 2, requested: 2 });
});

test('looks into an outbox count as requests, those into the kit’s inbox do not', async () => {
  for (const asksForMessages of [true, false]) {
    const { driver, requests } = openDriver({ asksForMessages });
    await driver.codes.request(user, label);
    // The messages before, the code, and the messages after.
    expect(requests.taken).toBe(asksForMessages ? 4 : 1);
  }
});

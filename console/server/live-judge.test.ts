import { expect, test } from 'vitest';
import { actorIn, link, redOf } from './testing/console-client.ts';
import { startConsole } from './testing/start-console.ts';
import {
  expectScenariosUnbroken,
  expectUnbrokenBy,
  expectUnbrokenByClock,
  WIRES,
} from './testing/troubled-client.ts';

/** Plays everything that can be played, which takes long on a busy machine. */
const PLAY_TIMEOUT_MS = 300_000;

// The long test plays all of them.
test('scenarios end as they say, and show no right party as broken', { timeout: PLAY_TIMEOUT_MS }, () =>
  expectScenariosUnbroken(['twins', 'session-expired', 'save-reply-lost', 'taken-over']),
);

// The long test makes every kind of trouble.
test.each(WIRES)(
  'no trouble on a wire shows a right party as broken: %s',
  (wires) => expectUnbrokenBy(['hang', 'reply-lost'], wires),
  PLAY_TIMEOUT_MS,
);

test('texts that are late, lost, doubled or reordered break no right party', async () => {
  const demo = await startConsole();
  for (const kind of ['late', 'lost', 'doubled', 'outOfOrder'] as const) {
    await demo.post('/api/reset');
    await demo.post('/api/text-trouble', { kind, times: 'untilOff', delayMs: 1 });
    const actor = actorIn(demo);
    await link(actor);
    await demo.post('/api/clock', { advanceMs: 61_000 });
    await actor.signIn();
    expect([kind, ...(await redOf(demo))]).toEqual([kind]);
  }
});

test('clocks apart, expired tokens and a snapshot break no right party', async () => {
  const demo = await startConsole();
  await expectUnbrokenByClock(demo, 'auth', -700_000);
  await expectUnbrokenByClock(demo, 'ehr', 700_000);
});

test('a client that returns after a reset breaks no right party', async () => {
  const demo = await startConsole();
  const actor = actorIn(demo);
  await link(actor);
  await demo.post('/api/reset');
  await actor.ehr('patient.get_patient').catch(() => undefined);
  await actor.reportLink().catch(() => undefined);
  await actor.signIn();
  await actor.takeExchangeToken();
  await actor.authenticate();
  await actor.reportLink();
  // Another device, which holds the signature of the link before.
  const other = actorIn(demo);
  other.userSign = 'no-signature-of-anybody';
  await demo.post('/api/clock', { advanceMs: 61_000 });
  await other.signIn();
  expect(await redOf(demo)).toEqual([]);
});

import { test } from 'vitest';
import { startConsole } from './testing/start-console.ts';
import {
  expectScenariosUnbroken,
  expectUnbrokenBy,
  expectUnbrokenByClock,
  WIRES,
} from './testing/troubled-client.ts';
import { faultKinds } from './wires/faults.ts';

/** Plays everything that can be played, which takes long on a busy machine. */
const PLAY_TIMEOUT_MS = 300_000;

test(
  'every scenario ends as it says, and shows no right party as broken',
  expectScenariosUnbroken,
  PLAY_TIMEOUT_MS,
);

const TROUBLES = faultKinds.map(({ name }) => name);

test.each(WIRES)(
  'no trouble on a wire shows a right party as broken: %s',
  (wires) => expectUnbrokenBy(TROUBLES, wires),
  PLAY_TIMEOUT_MS,
);

/** Longer than an exchange token lives. */
const SKEW_MS = 700_000;

// The short test has the other way of each server.
test.each([
  ['auth', SKEW_MS],
  ['ehr', -SKEW_MS],
  ['client', -SKEW_MS],
  ['client', SKEW_MS],
] as const)('clocks apart break no right party: %s %d', async (party, skewMs) => {
  await expectUnbrokenByClock(await startConsole(), party, skewMs);
});

import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { clientSelfTest } from '../self-test/self-test.ts';
import { harmlessClients } from './index.ts';

const PLAY_TIMEOUT_MS = 120_000;
const options = { clock: systemClock, seed: 1, signal: new AbortController().signal };
const variants = harmlessClients.filter(({ id }) => id.startsWith('signature-'));
const keeping = variants.flatMap(({ notPlayable = [] }) => notPlayable);
/** Scenarios in which a client meets its signature. */
const scenarios = ['replies-of-other-servers', 'exchange-token-first', 'link-reported-after-lost-reply', ...keeping];

test.for(variants)('the client with the difference $id is right', { timeout: PLAY_TIMEOUT_MS }, async (variant) => {
  const checks = clientSelfTest.checksOf(scenarios);
  expect(await clientSelfTest.harmlessRow(variant, options, { scenarios, checks })).toMatchObject({ ok: true });
});

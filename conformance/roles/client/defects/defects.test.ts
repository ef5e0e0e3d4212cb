import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { SelfTest } from '../../../engine/defects/self-test.ts';
import { SHOWN_IN } from '../flows/every-step/rules.ts';
import { clientCatalogue } from '../self-test/self-test.ts';
import { clientDefects, harmlessClients } from './index.mjs';

const clientSelfTest = new SelfTest(clientCatalogue);
const PLAY_TIMEOUT_MS = 120_000;
const options = () => ({ clock: systemClock, seed: 1, signal: new AbortController().signal });

/** A dozen variants of different kinds. `self-test --role client` plays all. */
const FAULTY = new Set([
  ...['auth-first', 'form-to-auth', 'surname-split-over-calls', 'exchange-token-kept', 'token-on-screen'],
  ...['record-kept-after-logout', 'late-record-for-another', 'error-without-code-is-link'],
  ...['disconnects-when-nobody-fits', 'birthday-a-day-off'],
]);
const HARMLESS = new Set(['replies-taken-by-http', 'signature-not-kept']);

test.for(clientDefects.filter(({ id }) => FAULTY.has(id)))(
  'the defect $id is found by $caughtBy',
  { timeout: PLAY_TIMEOUT_MS },
  async (defect) => {
    expect(await clientSelfTest.defectRow(defect, options())).toMatchObject({
      ok: true,
      found: expect.stringMatching(/^found(?:; also by|$)/),
    });
  },
);

/** Scenarios in which a difference would show, or in which a client meets its signature. */
const scenarios = [
  ...SHOWN_IN,
  ...['exchange-token-renewed', 'form-after-refusal', 'disconnect-alone', 'replies-of-other-servers'],
  ...['user-sign-outlives-session', 'replayed-sign-in-refused'],
];

test.for(harmlessClients.filter(({ id }) => HARMLESS.has(id)))(
  'the difference $id is reported by no check',
  { timeout: PLAY_TIMEOUT_MS },
  async (variant) => {
    const checks = clientSelfTest.checksOf(scenarios);
    const row = await clientSelfTest.harmlessRow(variant, options(), undefined, { scenarios, checks });
    expect(row).toMatchObject({ ok: true, found: 'no verdict changed' });
  },
);

test('variants have different names, and sources name a repository and a number', () => {
  const ids = [...clientDefects, ...harmlessClients].map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  const sources = clientDefects.flatMap(({ seenIn = [] }) => seenIn);
  expect(sources.filter((source) => !/^[\w.-]+\/[\w.-]+#\d+$/.test(source))).toEqual([]);
});

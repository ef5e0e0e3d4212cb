import { expect, test } from 'vitest';
import type { ObservationEntry } from '../../../engine/journal/entry.ts';
import { testSample } from '../../../testing/sample-self-test.ts';
import { inErrors } from '../defects/message-changes.ts';
import { ehrFlows } from '../flows/index.ts';
import { ehrCatalogue, ehrDefects } from './self-test.ts';
import { onServed, PEOPLE } from './serve.ts';

testSample(ehrCatalogue, {
  defects: [
    ...['foreign-session-opened', 'used-token-replies-again', 'session-without-end', 'names-by-beginning'],
    ...['logout-cached', 'disconnect-keeps-link', 'session-saves', 'digest-reads', 'token-unique-per-user'],
    ...['first-of-several', 'exchange-tokens-forgotten', 'without-jsonrpc'],
  ],
  harmless: ['people-of-the-least', 'relatives-described'],
  scenarios: [
    ...['exchange-token-used-once', 'save-opens-linked-user', 'no-session-no-data'],
    ...['disconnect-removes-link', 'ambiguous-not-matched', 'repeated-save-refused'],
  ],
});

const MAX_CALLS = 6;

/** The state table is walked by 150 steps, as with a server that takes so long for a call. */
const CALL_MS = 200;

/** One defect of each check of the state table, with a seed by which so few steps show it. */
test.each([
  ['state-any-signature-saves', 'does', 6],
  ['state-one-attempt-alone', 'refuses', 4],
  ['nobody-fits-as-no-session', 'code', 3],
])('the state table finds %s by a short sequence', { timeout: 300_000 }, async (defect, breaks, seed) => {
  const wrong = ehrDefects.find(({ id }) => id === defect);
  expect(wrong).toBeDefined();
  const noted = await onServed<ObservationEntry['values'][]>(wrong ?? {}, { seed }, async (run) => {
    run.parts.pace.callMs = CALL_MS;
    await run.playAll(ehrFlows.filter(({ id }) => id === 'follows-state-table'));
    return run.recorder.entries().flatMap((entry) => (entry.kind === 'observation' ? [entry.values] : []));
  });
  const found = noted.find((each) => each.breaks === breaks);
  expect(found).toMatchObject({ isRepeated: true });
  expect(String(found?.sequence).split('; ').length).toBeLessThanOrEqual(MAX_CALLS);
});

test('a run keeps no property of a patient that an error tells', { timeout: 300_000 }, async () => {
  const everybody = [...PEOPLE.matching, PEOPLE.ambiguous, ...PEOPLE.inactive];
  const told = everybody.flatMap(({ name, surname, date, phone }) => [name, surname, date, phone]);
  const telling = inErrors((error) => ({ ...error, message: told.join(', ') }));
  const kept = await onServed<string>(telling, {}, async (run) => {
    await run.playAll(ehrFlows.filter(({ id }) => id === 'ambiguous-not-matched'));
    return JSON.stringify(run.recorder.entries());
  });
  expect(kept).toContain('‹patient-data');
  expect(told.filter((value) => kept.includes(value))).toEqual([]);
});

import { expect, test } from 'vitest';
import { requirements } from '#protocol/requirements.ts';
import type { ExchangeEntry } from '../../journal/entry.ts';
import type { Run } from '../../journal/run-file.ts';
import { judge } from '../../judge.ts';
import { NOT_JUDGED } from '../not-judged.ts';
import { playClient } from '../self-test/play.ts';
import { allClientChecks } from './index.ts';

const PLAY_TIMEOUT_MS = 120_000;

/** The run of the right client, played once. */
let played: Promise<Run> | undefined;
const rightRun = () => {
  played ??= playClient();
  return played;
};

test('the right client passes every check', { timeout: PLAY_TIMEOUT_MS }, async () => {
  const red = judge(await rightRun()).filter(({ outcome }) => outcome !== 'pass');
  expect(red.map(({ check, finding }) => ({ check, finding }))).toEqual([]);
});

test('each check is red after the smallest change to the journal', { timeout: PLAY_TIMEOUT_MS }, async () => {
  const run = await rightRun();
  const stillGreen = allClientChecks.filter((check) => {
    const entries = structuredClone(run.entries) as Run['entries'][number][];
    check.red({
      entries,
      outcome: () => undefined,
      exchanges: (link, method) =>
        entries.filter(
          (entry): entry is ExchangeEntry =>
            entry.kind === 'exchange' &&
            entry.link === link &&
            (method === undefined || entry.facts.call?.method === method),
        ),
    });
    const [verdict] = judge({ ...run, entries }, { checks: [check] });
    return verdict?.outcome !== 'fail' && verdict?.outcome !== 'warning';
  });
  expect(stillGreen.map(({ id }) => id)).toEqual([]);
});

test('every requirement on a client is judged, or has a reason why not', () => {
  const judged = new Set<string>(allClientChecks.flatMap((check) => check.requirements));
  const rows = requirements.filter((row) => [row.party].flat().includes('client') && !('excluded' in row));
  const open = rows.filter(({ id }) => !judged.has(id) && !(id in NOT_JUDGED));
  expect(open.map(({ id }) => id)).toEqual([]);
  expect(Object.keys(NOT_JUDGED).filter((id) => judged.has(id))).toEqual([]);
});

test('no check has the name of another', () => {
  const ids = allClientChecks.map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
});

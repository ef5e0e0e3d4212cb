import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { judge } from '../../judge.ts';
import { allClientChecks } from '../checks/index.ts';
import { SHOWN_IN } from '../checks/wire.ts';
import { playClient } from '../self-test/play.ts';
import { clientDefects, harmlessClients } from './index.ts';
import { notJudgedByCommand } from './not-judged.ts';

const TWIN = fileURLToPath(new URL('./twin.mjs', import.meta.url));
const PLAY_TIMEOUT_MS = 60_000;

/** Parts of the catalogue, another of which is played every day. SELF_TEST_PARTS=1 plays all. */
const PART_COUNT = Math.min(Number(process.env.SELF_TEST_PARTS ?? 5), 5);
const DAY_MS = 86_400_000;
const part = Number(process.env.SELF_TEST_PART ?? Math.floor(systemClock.now() / DAY_MS)) % PART_COUNT;
const ofToday = <T>(rows: readonly T[]): T[] => rows.filter((_, index) => index % PART_COUNT === part);

const checkOf = (id: string) => allClientChecks.filter((check) => check.id === id);

test.for(ofToday(clientDefects))(
  'the defect $id is found by $caughtBy',
  { timeout: PLAY_TIMEOUT_MS },
  async (defect) => {
    const { id, caughtBy } = defect;
    const checks = checkOf(caughtBy);
    const run = await playClient({
      program: TWIN,
      env: { DEFECT: id },
      scenarios: checks.flatMap((check) => check.scenarios),
    });
    const [verdict] = judge(run, { checks });
    expect(verdict?.finding).toMatchObject({ outcome: 'fail', blame: 'client' });
  },
);

test.for(ofToday(harmlessClients))(
  'the difference %s is reported by no check',
  { timeout: PLAY_TIMEOUT_MS },
  async (id) => {
    const scenarios = [
      ...SHOWN_IN,
      'user-sign-kept',
      'exchange-token-renewed',
      'form-after-refusal',
      'disconnect-alone',
    ];
    const run = await playClient({ program: TWIN, env: { DEFECT: id }, scenarios });
    const verdicts = judge(run);
    expect(verdicts.filter(({ outcome }) => outcome === 'fail' || outcome === 'warning')).toEqual([]);
    const own = verdicts.filter(({ check }) => scenarios.includes(check));
    expect(own.map(({ outcome }) => outcome)).toEqual(scenarios.map(() => 'pass'));
  },
);

test('a public fault is shown by a defect, or has a reason why not', () => {
  const shown = clientDefects.flatMap(({ seenIn = [] }) => seenIn);
  const reasons = notJudgedByCommand.map(({ id }) => id);
  expect(reasons.filter((id) => shown.includes(id))).toEqual([]);
  // As many as the collection has rows about clients.
  expect(new Set([...shown, ...reasons]).size).toBe(23);
});

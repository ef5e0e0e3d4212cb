import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { SHOWN_IN } from '../flows/every-step/wire.ts';
import { clientSelfTest } from '../self-test/self-test.ts';
import { clientDefects, harmlessClients } from './index.ts';

const PLAY_TIMEOUT_MS = 60_000;

/** Parts of the catalogue, another of which is played every day. SELF_TEST_PARTS=1 plays all. */
const PART_COUNT = Math.min(Number(process.env.SELF_TEST_PARTS ?? 53), 53);
const DAY_MS = 86_400_000;
const part = Number(process.env.SELF_TEST_PART ?? Math.floor(systemClock.now() / DAY_MS)) % PART_COUNT;
const ofToday = <T>(rows: readonly T[]): T[] => rows.filter((_, index) => index % PART_COUNT === part);

const options = () => ({ clock: systemClock, seed: 1, signal: new AbortController().signal });

test.for(ofToday(clientDefects))(
  'the defect $id is found by $caughtBy',
  { timeout: PLAY_TIMEOUT_MS },
  async (defect) => {
    expect(await clientSelfTest.defectRow(defect, options())).toMatchObject({ ok: true, found: 'found' });
  },
);

/** Scenarios in which a difference would show. The command plays all. */
const scenarios = [...SHOWN_IN, 'exchange-token-renewed', 'form-after-refusal', 'disconnect-alone', 'new-sign-kept'];

test.for(ofToday(harmlessClients))(
  'the difference $id is reported by no check',
  { timeout: PLAY_TIMEOUT_MS },
  async (variant) => {
    const checks = clientSelfTest.checksOf(scenarios);
    const row = await clientSelfTest.harmlessRow(variant, options(), { scenarios, checks });
    expect(row).toMatchObject({ ok: true });
  },
);

test('no variant has the name of another, and each source names a repository and a number', () => {
  const ids = [...clientDefects, ...harmlessClients].map(({ id }) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  const sources = clientDefects.flatMap(({ seenIn = [] }) => seenIn);
  expect(sources.filter((source) => !/^[\w.-]+\/[\w.-]+#\d+$/.test(source))).toEqual([]);
});

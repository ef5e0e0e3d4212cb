import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Measure, problemsOf, soak } from './soak.ts';

test('sessions that come and run out leave neither rows nor a growing file behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { measures, end, problems } = await soak({
    sessions: 12_000,
    days: 6,
    seed: 1,
    file: join(folder, 'ehr.sqlite'),
  });
  expect(measures.map(({ sessions }) => sessions)).toEqual([2_000, 4_000, 6_000, 8_000, 10_000, 12_000]);
  // Sessions of a day and an hour, exchange tokens for one in eight of them, and their audit entries.
  for (const { rows } of measures.slice(1)) expect(rows).toBeLessThan(2_000 * (1 + 1 / 8) * 2.1);
  expect(end.rows).toBe(0);
  expect(problems).toEqual([]);
});

const calm: Measure[] = [1, 2, 3, 4].map((day) => ({
  day,
  sessions: day,
  rows: 100,
  fileBytes: 1e6,
  logBytes: 6e7,
  memoryBytes: 1e8,
}));
const nothing = { ...(calm[3] as Measure), rows: 0 };
const grown = (change: Partial<Measure>) => [...calm.slice(0, 3), { ...(calm[3] as Measure), ...change }];

test('growth after the second day, and rows that stay, are problems', () => {
  expect(problemsOf(calm, nothing)).toEqual([]);
  expect(problemsOf(grown({ rows: 120 }), nothing)).toEqual(['Rows grew from 100 on day 2 to 120.']);
  expect(problemsOf(grown({ fileBytes: 1.2e6 }), nothing)).toEqual([
    'The file grew from 1000000 bytes on day 2 to 1200000.',
  ]);
  const longLog = ['The log grew to 200000000 bytes; 131840000 is its limit.'];
  expect(problemsOf(grown({ logBytes: 2e8 }), nothing)).toEqual(longLog);
  expect(problemsOf(calm, { ...nothing, logBytes: 2e8 })).toEqual(longLog);
  expect(problemsOf(grown({ memoryBytes: 3e8 }), nothing)).toEqual([
    'The memory grew from 100000000 bytes on day 2 to 300000000.',
  ]);
  expect(problemsOf(calm, { ...nothing, rows: 1 })).toEqual(['1 rows are left although everything has run out.']);
  expect(problemsOf(calm.slice(0, 2), nothing)[0]).toContain('too short to tell');
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { createDraw } from '#mis-fixtures/draw.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { openSqlite } from '#service/sqlite.ts';
import { proves } from '#testing/proves.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { planFaults } from './faults.ts';
import { runTorture, summaryOf, type TortureOptions, type TortureResult } from './run.ts';

const small: TortureOptions = {
  engine: 'sqlite',
  seed: 20,
  operations: 1000,
  processes: 1,
  kills: 5,
  databaseRestarts: 0,
  cuts: 2,
};
const parts = { clock: systemClock, log: () => undefined };

proves(
  ['2.4-remembered', '8-token-used-once'],
  'one process on SQLite, killed five times, loses and repeats nothing',
  async () => {
    const result = await runTorture(small, parts);
    expect(summaryOf(result)).toContain('violations  0');
    expect(result.violations).toEqual([]);
    expect(result.faults).toEqual({ kill: 5, 'cut-clients': 2 });
    // The load was not refused or broken off as a whole.
    expect(result.totals.acknowledged).toBeGreaterThan(300);
    expect(result.totals.refused).toBeGreaterThan(100);
    expect(result.totals.unknown).toBeGreaterThan(0);
    const { acknowledged, refused, unknown } = result.totals;
    expect(result.checkedCalls).toBe(acknowledged + refused + unknown);
  },
  180_000,
);

proves(
  ['2.4-remembered', '8-token-used-once'],
  'two processes on a restarted, cut-off PostgreSQL lose and repeat nothing',
  async () => {
    const options = {
      ...small,
      engine: 'postgres',
      processes: 2,
      kills: 3,
      databaseRestarts: 1,
      cuts: 3,
    } as const;
    const result = await runTorture({ ...options, operations: 700 }, parts);
    expect(summaryOf(result)).toContain('violations  0');
    expect(result.violations).toEqual([]);
    expect(result.faults).toEqual({
      kill: 3,
      'restart-fast': 1,
      'cut-clients': 1,
      'cut-backends': 1,
      'cut-wire': 1,
    });
    expect(result.totals.acknowledged).toBeGreaterThan(200);
  },
  180_000,
);

test('an interrupted run rejects with the reason, and leaves nothing behind', async () => {
  const [temporary, data] = [temporaryFolder(), temporaryFolder()];
  vi.stubEnv('TMPDIR', temporary);
  const file = join(data, 'ehr.sqlite');
  const interrupt = new AbortController();
  const said: string[] = [];
  const log = (line: string) => {
    said.push(line);
    // Aborts while the killed process is being started again.
    if (line.includes('kill after')) interrupt.abort(new Error('Ctrl-C'));
  };
  const run = runTorture(
    { ...small, env: { EHR_DATABASE: file } },
    { clock: systemClock, signal: interrupt.signal, log },
  );
  await expect(run).rejects.toThrow('Ctrl-C');
  expect(said.length).toBeGreaterThan(1);
  expect(readdirSync(temporary).filter((name) => name.startsWith('torture-'))).toEqual([]);
  // Leaving WAL mode needs exclusive access: with another process on the file, it would be locked.
  const db = openSqlite(file, { timeout: 0 });
  expect(db.pragma('journal_mode = DELETE', { simple: true })).toBe('delete');
  db.close();
});

test('a run with a violation tells what the servers logged last', () => {
  const violation = { rule: 'stray-row', message: 'the database holds a row', calls: [], history: [] };
  const result: TortureResult = {
    options: small,
    totals: { acknowledged: 1, refused: 0, unknown: 0, unsent: 0 },
    faults: {},
    windows: [],
    violations: [violation],
    checkedCalls: 1,
    milliseconds: 1_000,
    logs: ['ehr-1#1 first', 'ehr-1#1 last'],
  };
  expect(summaryOf(result)).toMatch(/The newest lines of the logs:\nehr-1#1 first\nehr-1#1 last\n$/);
  expect(summaryOf({ ...result, violations: [] })).not.toContain('logs');
});

test('the seed fixes the faults, their order and their times', () => {
  const plan = { kills: 20, databaseRestarts: 3, cuts: 10, operations: 60_000, hasServer: true };
  const faults = planFaults(plan, createDraw(7));
  expect(faults).toEqual(planFaults(plan, createDraw(7)));
  expect(faults).not.toEqual(planFaults(plan, createDraw(8)));
  const count = (kind: string) => faults.filter((fault) => fault.kind === kind).length;
  expect(['kill', 'restart-fast', 'restart-immediate', 'restart-kill'].map(count)).toEqual([20, 1, 1, 1]);
  expect(['cut-clients', 'cut-backends', 'cut-wire'].map(count)).toEqual([4, 3, 3]);
  expect(faults.map(({ at }) => at)).toEqual(faults.map(({ at }) => at).sort((a, b) => a - b));
  expect(faults.at(-1)?.at).toBeLessThan(60_000);
});

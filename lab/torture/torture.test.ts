import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { openSqlite } from '#service/sqlite.ts';
import { proves } from '#testing/proves.ts';
import { defects } from './inject/defects.ts';
import { foundBy, runWithDefect } from './prove-checker.ts';
import { summaryOf, writeReport } from './report.ts';
import { runTorture, type TortureOptions } from './run.ts';

const small: TortureOptions = {
  engine: 'sqlite',
  seed: 20,
  operations: 1000,
  processes: 1,
  kills: 5,
  databaseRestarts: 0,
  cuts: 2,
  groups: 6,
};
const parts = { clock: systemClock, log: () => undefined };

proves(
  ['2.4-remembered', '8-token-used-once'],
  'one process on SQLite, killed five times under load: the ledger finds nothing lost and nothing done twice',
  async () => {
    const result = await runTorture(small, parts);
    expect(summaryOf(result)).toContain('violations  0');
    expect(result.violations).toEqual([]);
    expect(result.faults).toEqual({ kill: 5, 'cut-clients': 2 });
    // The load was not refused or broken off as a whole.
    expect(result.totals.acknowledged).toBeGreaterThan(300);
    expect(result.totals.refused).toBeGreaterThan(100);
    expect(result.totals.unknown).toBeGreaterThan(0);
    expect(result.checkedCalls).toBeGreaterThan(result.totals.acknowledged + result.totals.refused);
  },
  180_000,
);

proves(
  ['2.4-remembered', '8-token-used-once'],
  'two processes on one PostgreSQL, killed three times, the database restarted, connections cut: nothing lost, nothing done twice',
  async () => {
    const options = {
      ...small,
      engine: 'postgres',
      processes: 2,
      kills: 3,
      databaseRestarts: 1,
      cuts: 3,
      operations: 700,
    } as const;
    const result = await runTorture(options, parts);
    expect(summaryOf(result)).toContain('violations  0');
    expect(result.violations).toEqual([]);
    expect(result.faults).toEqual({ kill: 3, 'restart-fast': 1, 'cut-clients': 1, 'cut-backends': 1, 'cut-wire': 1 });
    expect(result.totals.acknowledged).toBeGreaterThan(300);
  },
  180_000,
);

test('a server that acknowledges before it commits is found out', async () => {
  const [defect] = defects;
  if (defect?.name !== 'acknowledges-early') throw new Error('The first defect is the one that loses writes.');
  const result = await runWithDefect(defect, { ...small, operations: 500, kills: 2, cuts: 0 }, parts);
  expect(foundBy(defect, result)).not.toEqual([]);
  const file = writeReport(temporaryFolder(), result);
  const report = JSON.parse(readFileSync(file, 'utf8'));
  expect(report).toMatchObject({ passed: false, options: { engine: 'sqlite', seed: 20 }, faults: { kill: 2 } });
  expect(report.violations).toHaveLength(result.violations.length);
}, 120_000);

test('a run that is interrupted rejects with the reason, and leaves no process and no file behind', async () => {
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
}, 60_000);

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'torture-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

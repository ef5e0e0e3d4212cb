import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openSqlite } from '#service/sqlite.ts';
import { groups } from './groups.ts';
import { EHR, quickPlan, readers, writers } from './plan.ts';
import { measureRates } from './rates.ts';
import { type BenchGroup, runBench } from './run.ts';
import { withServers } from './servers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Inside the project, where the bundles find the compiled modules.
mkdirSync(join(root, '.data'), { recursive: true });
const directory = mkdtempSync(join(root, '.data', 'bench-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

const SESSION_COUNT = 2_000;

/** The calls begin with this number: only call 0 is of the one session that the database holds. */
const FIRST_CALL = 5;

/** A group whose calls are refused: only one of the sessions is in the database. */
const refused: BenchGroup = {
  id: 'refused',
  async run(bench) {
    const database = await bench.databases.sessions(1);
    const data = { database, population: await bench.databases.population(SESSION_COUNT) };
    return withServers(bench, async (start) => {
      const server = await start({ name: EHR, program: 'ehr' }, data);
      const contender = { of: EHR, server, next: FIRST_CALL };
      const requests = { kind: 'get_patient', sessions: 1_000 } as const;
      return [
        await measureRates(bench, { id: 'refused', title: 'Refused', about: '' }, requests, [contender]),
      ];
    });
  },
};

/**
 * Each server has a copy of the database of its own, numbered in the order of the starts. Reads what the audit
 * of each has recorded so far, without users and times, by the number.
 */
function readAudits(audits: Map<number, unknown>): void {
  for (const name of readdirSync(join(directory, 'run'))) {
    const [, copy] = /-(\d+)\.sqlite$/.exec(name) ?? [];
    if (copy === undefined) continue;
    const db = openSqlite(join(directory, 'run', name), { readonly: true });
    try {
      const rows = db
        .prepare('SELECT DISTINCT action, outcome, patient_id IS NULL AS noPatient FROM audit')
        .all();
      audits.set(Number(copy), rows);
    } finally {
      db.close();
    }
  }
}

test('every call is measured, all servers record the same, and nothing is left behind', async () => {
  const audits = new Map<number, unknown>();
  const { results, failures } = await runBench({
    root,
    directory,
    plan: { ...quickPlan, sessions: SESSION_COUNT, connections: [4], rounds: 1, sliceMs: 30, warmUpMs: 10 },
    groups: [...groups, refused],
    log: () => undefined,
    onTable: () => readAudits(audits),
  });
  // A figure made of refusals would be misleading.
  expect(failures).toEqual([expect.stringMatching(/^refused: .*answered with HTTP 200 .*not_authorized/)]);
  const rows = results.tables.flatMap((table) => table.rows);
  expect(rows.map(({ of }) => of)).toEqual([readers, writers, writers].flat().map(({ name }) => name));
  for (const { values, cpu, p99 } of rows)
    for (const figure of [...values, ...cpu, ...p99]) expect(figure).toBeGreaterThan(0);
  // A copy for each row of the tables. The group that fails has no table, so its copy is not read.
  const recorded = [
    ...readers.map(() => ({ action: 'patient.get_patient', outcome: 'ok', noPatient: 0 })),
    ...writers.map(() => ({ action: 'embedded_storage.save_auth_info', outcome: 'ok', noPatient: 0 })),
    ...writers.map(() => ({ action: 'embedded_storage.save_exchange_token', outcome: 'ok', noPatient: 1 })),
  ];
  expect([...audits].sort(([a], [b]) => a - b).map(([, entries]) => entries)).toEqual(
    recorded.map((row) => [row]),
  );
  expect(readdirSync(directory)).not.toContain('run');
});

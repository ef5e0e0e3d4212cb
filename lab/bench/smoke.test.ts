import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openSqlite } from '#service/sqlite.ts';
import { drawQueries } from './data/patients.ts';
import { type RequestPlan, requestsOf } from './load/requests.ts';
import { BARE, EHR } from './names.ts';
import { quickPlan } from './plan.ts';
import { interleave, measureRates } from './rates.ts';
import { type Group, runBench } from './run.ts';
import { type BenchData, withServers } from './servers.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Inside the project, where the bundles find the compiled modules.
mkdirSync(join(root, '.data'), { recursive: true });
const directory = mkdtempSync(join(root, '.data', 'bench-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

const SESSION_COUNT = 2_000;
const plans: readonly RequestPlan[] = [
  { kind: 'get_patient', sessions: SESSION_COUNT, users: SESSION_COUNT },
  { kind: 'save_auth_info', users: SESSION_COUNT },
  { kind: 'save_exchange_token', users: SESSION_COUNT },
];

/** Measures every method on the EHR server and on the bare one, and one that a server refuses. */
function everyMethod(recorded: Record<string, unknown[]>): Group {
  return {
    id: 'smoke',
    about: 'for this test',
    async run(bench) {
      const population = await bench.databases.population(SESSION_COUNT);
      expect(drawQueries(population, SESSION_COUNT, 100).length).toBeGreaterThan(90);
      const copy = async (): Promise<BenchData> => ({
        database: await bench.databases.sessions({ sessions: SESSION_COUNT, users: SESSION_COUNT }),
        population,
      });
      const data = { [EHR]: await copy(), [BARE]: await copy() };
      const table = await withServers(bench, async (start) => {
        const servers = {
          [EHR]: await start.ehr(data[EHR] as BenchData),
          [BARE]: await start.peer('bare', data[BARE] as BenchData),
        };
        const conditions = plans.map((plan) => ({
          case: plan.kind,
          connections: 4,
          contenders: Object.entries(servers).map(([of, server]) => ({
            of,
            servers: [server],
            plan,
            numbers: { next: 0 },
          })),
        }));
        return measureRates(bench, { id: 'smoke', title: 'Smoke', about: '', base: BARE }, conditions);
      });
      for (const [of, { database }] of Object.entries(data)) recorded[of] = auditOf(database);
      return [table];
    },
  };
}

/** A group whose calls are refused: none of the sessions is in the database. */
const refused: Group = {
  id: 'refused',
  about: 'for this test',
  async run(bench) {
    const database = await bench.databases.sessions({ sessions: 1, users: 1 });
    const data = { database, population: await bench.databases.population(SESSION_COUNT) };
    return withServers(bench, async (start) => {
      const plan = { kind: 'get_patient', sessions: 1_000, users: 1_000 } as const;
      const contender = { of: EHR, servers: [await start.ehr(data)], plan, numbers: { next: 5 } };
      const conditions = [{ case: 'refused', connections: 1, contenders: [contender] }];
      return [await measureRates(bench, { id: 'refused', title: 'Refused', about: '' }, conditions)];
    });
  },
};

/** Returns what the audit recorded, without users and times. */
function auditOf(database: string): unknown[] {
  const db = openSqlite(database, { readonly: true });
  try {
    return db
      .prepare(
        'SELECT DISTINCT action, outcome, patient_id IS NULL AS withoutPatient FROM audit ORDER BY action',
      )
      .all();
  } finally {
    db.close();
  }
}

test('every method is measured, both servers record the same, and nothing is left behind', async () => {
  const recorded: Record<string, unknown[]> = {};
  const { results, failures } = await runBench({
    root,
    directory,
    plan: { ...quickPlan, rounds: 1, sliceMs: 30, warmUpMs: 10 },
    groups: [everyMethod(recorded), refused],
    quick: true,
    log: () => undefined,
    signal: new AbortController().signal,
    postgres: undefined,
  });
  // A figure made of refusals would be misleading.
  expect(failures).toEqual([expect.stringMatching(/^refused: .*answered with HTTP 200 .*not_authorized/)]);
  const [table] = results.tables;
  expect(table?.rows).toHaveLength(2 * plans.length);
  for (const { values, cpu, p99 } of table?.rows ?? []) {
    for (const figure of [...values, ...(cpu ?? []), ...(p99 ?? [])]) expect(figure).toBeGreaterThan(0);
  }
  expect(recorded[EHR]).toHaveLength(plans.length);
  expect(recorded[EHR]).toEqual(recorded[BARE]);
  expect(readdirSync(directory).filter((name) => name.startsWith('run-'))).toEqual([]);
}, 120_000);

test('get_patient asks for each session once before one repeats', () => {
  const { body } = requestsOf({ kind: 'get_patient', sessions: 1_000, users: 100 });
  const tokens = Array.from({ length: 1_000 }, (_, sequence) => JSON.parse(body(sequence)).cred.token);
  expect(new Set(tokens).size).toBe(1_000);
});

test('every round measures everybody once, forwards and backwards in turn', async () => {
  const seen: string[] = [];
  await interleave(['a', 'b', 'c'], 3, async (item, round) => void seen.push(`${item}${round}`));
  expect(seen).toEqual(['a0', 'b0', 'c0', 'c1', 'b1', 'a1', 'a2', 'b2', 'c2']);
});

import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { openSqlite } from '#service/sqlite.ts';
import type { Bench, Group } from './bench.ts';
import { type Data, withServers } from './contenders.ts';
import { drawPatients } from './data/patients.ts';
import { addExchangeTokens } from './data/sessions.ts';
import type { RequestPlan } from './load/messages.ts';
import { BARE, EHR } from './names.ts';
import type { Plan } from './plan.ts';
import type { Server } from './processes/server.ts';
import { measureRates } from './rates.ts';
import type { Table } from './report/results.ts';
import { runBench } from './run-bench.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
// Inside the project, where the bundles find the compiled modules.
mkdirSync(join(root, '.data'), { recursive: true });
const directory = mkdtempSync(join(root, '.data', 'bench-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

const SESSION_COUNT = 12_000;
/** The users and sessions before this number stay. The removals take those after it. */
const KEPT_SESSION_COUNT = 2_000;

const plan: Plan = {
  sessions: SESSION_COUNT,
  sizes: [],
  populations: [],
  connections: [4],
  rounds: 1,
  sliceMs: 30,
  warmUpMs: 10,
  warmUpOfSizesMs: 10,
  purged: 0,
  starts: 0,
  demoStarts: 0,
  fixtureRuns: 0,
  commandRuns: 0,
};

/**
 * Measures every method once, on the EHR server and on the bare one, each with its own copy of the same
 * database.
 */
function everyMethod(recorded: Record<string, unknown[]>): Group {
  return {
    id: 'smoke',
    about: 'for this test',
    async run(bench) {
      const population = await bench.databases.population(SESSION_COUNT);
      const patients = drawPatients(population, KEPT_SESSION_COUNT, 100);
      const copy = async (): Promise<Data> => {
        const database = await bench.databases.sessions({ sessions: SESSION_COUNT, users: SESSION_COUNT });
        addExchangeTokens(
          database,
          10_000,
          patients.map(({ user }) => user),
        );
        return { database, population };
      };
      const plans: readonly (readonly [RequestPlan, first: number])[] = [
        [{ kind: 'get_patient', sessions: KEPT_SESSION_COUNT, users: SESSION_COUNT }, 0],
        [{ kind: 'save_auth_info', users: KEPT_SESSION_COUNT }, 0],
        [{ kind: 'save_exchange_token', users: KEPT_SESSION_COUNT }, 0],
        [{ kind: 'authenticate', patients: patients.map(({ patient }) => patient) }, 0],
        [{ kind: 'remove_auth_info', users: SESSION_COUNT }, KEPT_SESSION_COUNT],
        [{ kind: 'remove_authentication' }, SESSION_COUNT / 2],
      ];
      const [ours, bare] = [await copy(), await copy()];
      const table = await withServers(bench, async (start) => {
        const servers = { [EHR]: await start.ehr(ours), [BARE]: await start.peer('bare', bare) };
        return measure(bench, servers, plans);
      });
      recorded[EHR] = auditOf(ours.database);
      recorded[BARE] = auditOf(bare.database);
      return [table];
    },
  };
}

function measure(
  bench: Bench,
  servers: Readonly<Record<string, Server>>,
  plans: readonly (readonly [RequestPlan, number])[],
): Promise<Table> {
  const cases = plans.map(([request, first]) => ({
    case: request.kind,
    connections: 4,
    contenders: Object.entries(servers).map(([of, server]) => ({
      of,
      servers: [server],
      plan: request,
      numbers: { next: first },
    })),
  }));
  return measureRates(bench, { id: 'smoke', title: 'Smoke', about: '', base: BARE }, cases);
}

/** Returns what the audit recorded, without users and times. */
function auditOf(database: string): unknown[] {
  const db = openSqlite(database, { readonly: true });
  try {
    return db
      .prepare('SELECT DISTINCT action, outcome, patient_id IS NULL AS withoutPatient FROM audit ORDER BY action')
      .all();
  } finally {
    db.close();
  }
}

test('every method is measured on the EHR server and on the bare one, both record the same, and nothing is left behind', async () => {
  const recorded: Record<string, unknown[]> = {};
  const { results, failures } = await runBench({
    root,
    directory,
    plan,
    groups: [everyMethod(recorded)],
    quick: true,
    log: () => undefined,
    signal: new AbortController().signal,
  });
  expect(failures).toEqual([]);
  const [table] = results.tables;
  expect(table?.rows).toHaveLength(12);
  for (const { values, cpu, p99 } of table?.rows ?? []) {
    for (const figure of [...values, ...(cpu ?? []), ...(p99 ?? [])]) expect(figure).toBeGreaterThan(0);
  }
  expect(recorded[EHR]).toHaveLength(6);
  expect(recorded[EHR]).toEqual(recorded[BARE]);
  expect(readdirSync(directory).filter((name) => name.startsWith('run-'))).toEqual([]);
}, 120_000);

/** Fills a SQLite database with a population in one transaction, fast and always in the same order. */
import type { Database } from 'better-sqlite3';
import { bulkPatientInserter } from '#ehr-server/mis/insert.ts';
import { MIS_COLUMNS } from '#ehr-server/mis/keys.ts';
import { createMisIndexes, createMisTables, MIS_TABLES } from '#ehr-server/mis/schema.ts';
import { allPersonaPatients } from './personas.ts';
import { type PopulationPlan, population } from './population.ts';

/** The progress of a run: first the patients, then the indexes over them. */
export type LoadProgress = { phase: 'patients' | 'indexes'; done: number; total: number };

export type LoadOptions = {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: LoadProgress) => void) | undefined;
};

const PATIENTS_PER_CHUNK = 2_000;

/**
 * Replaces the population of `database`, keeping its other tables, and yields to the event loop now and then.
 * The caller opens the transaction, and commits it or rolls it back.
 * @returns how many patients are stored, personas included
 * @throws {StoppedError} when the signal has fired
 */
export async function loadPopulation(
  database: Database,
  plan: PopulationPlan,
  { signal, onProgress }: LoadOptions,
): Promise<number> {
  const total = plan.patients + allPersonaPatients.length;
  const report = async (phase: LoadProgress['phase'], done: number) => {
    onProgress?.({ phase, done, total });
    await nextTurn();
    if (signal?.aborted) throw new StoppedError('The run was interrupted.');
  };
  for (const table of MIS_TABLES) database.exec(`DROP TABLE IF EXISTS main.${table}`);
  createMisTables(database);
  await stageMatches(database, async () => {
    const { insert, flush } = bulkPatientInserter(database);
    let done = 0;
    for (const patient of population(plan)) {
      insert(patient);
      if (++done % PATIENTS_PER_CHUNK === 0) await report('patients', done);
    }
    flush();
    await report('indexes', total);
  });
  createMisIndexes(database);
  noteOrigin(database, plan);
  await report('indexes', total);
  return total;
}

const STAGED = ['patient_match', 'patient_card'] as const;

/**
 * Runs `fill` while unsorted temporary tables shadow the match tables, then copies the rows in order of
 * their keys: appending to a tree is several times faster than inserting at random places.
 */
async function stageMatches(database: Database, fill: () => Promise<void>): Promise<void> {
  for (const table of STAGED) {
    database.exec(`CREATE TEMP TABLE ${table} AS SELECT * FROM main.${table} LIMIT 0`);
  }
  await fill();
  for (const table of STAGED) {
    const columns = MIS_COLUMNS[table].join(', ');
    database.exec(
      `INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM temp.${table} ORDER BY ${columns}`,
    );
    database.exec(`DROP TABLE temp.${table}`);
  }
}

/** Stores what is needed to create the same population again. */
function noteOrigin(database: Database, plan: PopulationPlan): void {
  const note = database.prepare('INSERT INTO mis_meta (name, value) VALUES (?, ?)');
  for (const [name, value] of originOf(plan)) note.run(name, value);
}

/** Returns what is needed to create the same population again, as names and values. */
export function originOf({ patients, seed, locales }: PopulationPlan): (readonly [string, string])[] {
  return [
    ['patients', String(patients)],
    ['seed', String(seed)],
    ['locales', locales.join(',')],
  ];
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

// The errors that the fixtures tool reports as a sentence, without a stack.

/** The population cannot be written as requested. The message says what was given and what to do. */
export class FixturesError extends Error {
  override name = 'FixturesError';
}

/** The run was interrupted and nothing was written. */
export class StoppedError extends Error {
  override name = 'StoppedError';
}

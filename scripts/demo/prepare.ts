/** What the demo needs on disk before it starts: the internal password, the population, the built programs. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { z } from 'zod';
import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import { writePopulation } from '#mis-fixtures/write-population.ts';
import { randomToken, systemRandom } from '#protocol/random.ts';
import { builtProgram } from '../build/built-program.mjs';
import { progress } from '../progress.mjs';
import { root } from '../set-up.mjs';
import type { DemoConfig } from './settings.ts';

/** Where things are, and how the two servers know each other. */
export type Prepared = {
  readonly ehrDatabase: string;
  readonly misDatabase: string;
  readonly authDatabase: string;
  readonly internalUser: string;
  readonly internalPassword: string;
  readonly programs: Readonly<Record<'ehr' | 'auth' | 'client', string>>;
};

/** The seed of the demo's population: all demos of one size show the same patients. */
const SEED = 7;
const LOCALES = ['ru', 'en', 'de'];
const PATIENTS = 1_000;

/**
 * Makes what is missing and keeps what is there.
 * @throws Error saying what could not be made, and why
 */
export async function prepare(config: DemoConfig, signal: AbortSignal): Promise<Prepared> {
  const data = resolve(root, config.data);
  const at = (name: string) => join(data, name);
  if (config.fresh) removeData(at);
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const secrets = readSecrets(at('secrets.json'));
  await makePopulation(at('population.sqlite'), config.patients, signal);
  const programs = {
    ehr: await built('ehr-server/main.ts'),
    auth: await built('mock-auth-server/main.ts'),
    client: await built('mock-client/main.ts'),
  };
  return {
    programs,
    ehrDatabase: at('ehr.sqlite'),
    misDatabase: at('population.sqlite'),
    authDatabase: at('auth.sqlite'),
    internalUser: secrets.internalUser,
    internalPassword: secrets.internalPassword,
  };
}

/** Only what the demo itself puts there. */
function removeData(at: (name: string) => string): void {
  rmSync(at('secrets.json'), { force: true });
  for (const database of ['ehr.sqlite', 'auth.sqlite', 'population.sqlite', 'population.sqlite.partial']) {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(at(database + suffix), { force: true });
  }
}

const secretsShape = z.object({ internalUser: z.string().min(1), internalPassword: z.string().min(1) });

/** The password is made once and kept, so that what the servers have stored stays usable. */
function readSecrets(file: string): z.output<typeof secretsShape> {
  if (!existsSync(file)) {
    const made = { internalUser: 'auth-server', internalPassword: randomToken(systemRandom) };
    writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  }
  try {
    return secretsShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Error(`Failed to read ${file}. Please delete it, or start over with npm run demo -- --fresh.`, { cause });
  }
}

async function makePopulation(file: string, wanted: number | undefined, signal: AbortSignal): Promise<void> {
  if (existsSync(file)) {
    const invented = countPatients(file) - allPersonaPatients.length;
    if (wanted !== undefined && wanted !== invented) {
      process.stdout.write(`Keeping the population of ${invented} invented patients; --fresh makes another.\n`);
    }
    return;
  }
  const patients = wanted ?? PATIENTS;
  const shown = progress(`Inventing ${patients} patients`, { quietFor: 1_000 });
  try {
    await writePopulation({
      file,
      patients,
      seed: SEED,
      locales: LOCALES,
      signal,
      onProgress: ({ phase, done, total }) => {
        shown.note(phase === 'indexes' ? 'sorting and indexing' : `${Math.floor((10 * done) / total)}0 %`);
      },
    });
    shown.done();
  } catch (error) {
    if (signal.aborted) shown.clear();
    else shown.failed();
    throw error;
  }
}

function countPatients(file: string): number {
  const database = new SqliteDatabase(file, { readonly: true });
  try {
    return Number(database.prepare('SELECT count(*) FROM patient').pluck().get());
  } finally {
    database.close();
  }
}

async function built(main: string): Promise<string> {
  const file = await builtProgram(root, main);
  if (file === undefined) throw new Error(`${main} is no program that is built.`);
  return file;
}

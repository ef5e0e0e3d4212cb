/** What the demo needs on disk before it starts: the internal password, the population, the built programs. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { MIS_SCHEMA_VERSION } from '#ehr-server/mis/schema.ts';
import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import { writePopulation } from '#mis-fixtures/write-population.ts';
import { randomToken, systemRandom } from '#protocol/random.ts';
import { openSqlite } from '#service/sqlite.ts';
import { builtProgram } from '../build/built-program.mjs';
import { progress } from '../progress.mjs';
import { root } from '../set-up.mjs';
import type { DataDirectory } from './data-directory.ts';
import type { DemoConfig } from './settings.ts';

/** Where things are, and how the two servers know each other. */
export type Prepared = {
  readonly ehrDatabase: string;
  readonly misDatabase: string;
  readonly authDatabase: string;
  /** The file that keeps by how much the clocks were moved. */
  readonly clockOffsets: string;
  readonly internalUser: string;
  readonly internalPassword: string;
  readonly programs: Readonly<Record<'ehr' | 'auth' | 'client', string>>;
};

/** The seed of the demo's population: all demos of one size show the same patients. */
const SEED = 7;
const LOCALES = ['ru', 'en', 'de'];
const PATIENTS = 1_000;
const CLOCK_OFFSETS = 'clock-offsets.json';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Makes what is missing and keeps what is there.
 * @throws Error saying what could not be made, and why
 */
export async function prepare(
  config: DemoConfig,
  { at }: Pick<DataDirectory, 'at'>,
  env: Environment,
  signal: AbortSignal,
): Promise<Prepared> {
  if (config.fresh) removeData(at);
  const secrets = secretsOf(env, at('secrets.json'));
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
    clockOffsets: at(CLOCK_OFFSETS),
    internalUser: secrets.internalUser,
    internalPassword: secrets.internalPassword,
  };
}

/** Only what the demo itself puts there. */
function removeData(at: (name: string) => string): void {
  for (const file of ['secrets.json', CLOCK_OFFSETS]) rmSync(at(file), { force: true });
  for (const database of ['ehr.sqlite', 'auth.sqlite', 'population.sqlite', 'population.sqlite.partial'])
    removeDatabase(at(database));
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}

const secretsShape = z.object({ internalUser: z.string().min(1), internalPassword: z.string().min(1) });
type Secrets = z.output<typeof secretsShape>;

/** The user and the password of the environment; where one is missing, the one that the demo has made. */
function secretsOf(env: Environment, file: string): Secrets {
  const { EHR_INTERNAL_USER: internalUser, EHR_INTERNAL_PASSWORD: internalPassword } = env;
  if (internalUser && internalPassword) return { internalUser, internalPassword };
  const made = readSecrets(file);
  return {
    internalUser: internalUser || made.internalUser,
    internalPassword: internalPassword || made.internalPassword,
  };
}

/** The password is made once and kept, so that a server that was started by hand can go on with it. */
function readSecrets(file: string): Secrets {
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

/** Makes the population, unless the file has one of this version. */
export async function makePopulation(file: string, wanted: number | undefined, signal: AbortSignal): Promise<void> {
  const kept = existsSync(file) ? readPopulation(file) : undefined;
  if (kept?.version === MIS_SCHEMA_VERSION) {
    if (wanted !== undefined && wanted !== kept.invented) {
      process.stdout.write(`Keeping the population of ${kept.invented} invented patients; --fresh makes another.\n`);
    }
    return;
  }
  if (kept) {
    process.stdout.write('Replacing the population, which another version of this program has made.\n');
    removeDatabase(file);
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

function readPopulation(file: string): { version: number; invented: number } {
  const database = openSqlite(file, { readonly: true });
  const read = (sql: string) => Number(database.prepare(sql).pluck().get());
  try {
    return {
      version: read("SELECT value FROM mis_meta WHERE name = 'schema_version'"),
      invented: read('SELECT count(*) FROM patient') - allPersonaPatients.length,
    };
  } finally {
    database.close();
  }
}

async function built(main: string): Promise<string> {
  const file = await builtProgram(root, main);
  if (file === undefined) throw new Error(`${main} is no program that is built.`);
  return file;
}

/** Creates what the demo needs on disk: the internal password, the population, the built programs. */
import { existsSync, lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { buildConsolePage } from '#console/page/build.ts';
import { MIS_SCHEMA_VERSION } from '#ehr-server/mis/schema.ts';
import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import { type PopulationPlan, population } from '#mis-fixtures/population.ts';
import { writePopulation } from '#mis-fixtures/write-population.ts';
import { randomToken, systemRandom } from '#protocol/time/random.ts';
import { builtProgram } from '#scripts/build/built-program.mjs';
import { progress } from '#scripts/set-up/progress.mjs';
import { root } from '#scripts/set-up/set-up.mjs';
import { commandLine } from '#service/process/command-line/program-name.ts';
import { makePrivate } from '#service/process/files/private-file.ts';
import { openSqlite } from '#service/sqlite.ts';
import { CONSOLE_FILE } from '../commands/running-demo.ts';
import type { DemoConfig } from '../settings.ts';
import type { DataDirectory } from './data-directory.ts';
import { SEED } from './seed.ts';

export type PartyName = 'ehr' | 'auth' | 'client' | 'console';

/** The paths of the demo's data, and the credentials that the two servers share. */
export type Prepared = {
  readonly ehrDatabase: string;
  readonly misDatabase: string;
  readonly authDatabase: string;
  readonly consolePage: string | undefined;
  readonly consoleFile: string;
  readonly clockOffsets: string;
  readonly internalUser: string;
  readonly internalPassword: string;
  /** The built programs; empty for those that do not run. */
  readonly programs: Readonly<Record<PartyName, string>>;
};

const LOCALES = ['ru', 'en', 'de'];
const DEFAULT_PATIENT_COUNT = 1_000;
const CLOCK_OFFSETS = 'clock-offsets.json';

type ProcessEnvironment = Readonly<Record<string, string | undefined>>;

/** Creates what is missing and keeps what exists. */
export async function prepare(
  config: DemoConfig,
  { at, whyInMemory }: Pick<DataDirectory, 'at' | 'whyInMemory'>,
  env: ProcessEnvironment,
  signal: AbortSignal,
): Promise<Prepared> {
  if (config.fresh) removeData(at);
  const secrets = secretsOf(env, at('secrets.json'));
  const databases = whyInMemory === undefined ? await inFiles(config, at, signal) : inMemory(config, at);
  return {
    programs: await builtPrograms(config),
    ...databases,
    consolePage: config.console ? await builtPage() : undefined,
    consoleFile: at(CONSOLE_FILE),
    clockOffsets: at(CLOCK_OFFSETS),
    ...secrets,
  };
}

type Databases = Pick<Prepared, 'ehrDatabase' | 'misDatabase' | 'authDatabase'>;
type PathOf = DataDirectory['at'];

async function inFiles({ patients }: DemoConfig, at: PathOf, signal: AbortSignal): Promise<Databases> {
  const misDatabase = at('population.sqlite');
  await makePopulation(misDatabase, patients, signal);
  return { ehrDatabase: at('ehr.sqlite'), misDatabase, authDatabase: at('auth.sqlite') };
}

function inMemory({ patients = DEFAULT_PATIENT_COUNT }: DemoConfig, at: PathOf): Databases {
  const misDatabase = at('population.json');
  writePatients(misDatabase, { patients, seed: SEED, locales: LOCALES });
  return { ehrDatabase: ':memory:', misDatabase, authDatabase: ':memory:' };
}

/** Removes only files that the demo itself creates. */
function removeData(at: (name: string) => string): void {
  for (const file of ['secrets.json', 'population.json', CLOCK_OFFSETS, CONSOLE_FILE])
    rmSync(at(file), { force: true });
  for (const database of ['ehr.sqlite', 'auth.sqlite', 'population.sqlite', 'population.sqlite.partial'])
    removeDatabase(at(database));
}

function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
}

const secretsShape = z.object({ internalUser: z.string().min(1), internalPassword: z.string().min(1) });
type Secrets = z.output<typeof secretsShape>;

/** Returns user and password of the environment. A missing one is replaced by the demo's own. */
function secretsOf(env: ProcessEnvironment, file: string): Secrets {
  const { EHR_INTERNAL_USER: internalUser, EHR_INTERNAL_PASSWORD: internalPassword } = env;
  if (internalUser && internalPassword) return { internalUser, internalPassword };
  const made = readSecrets(file);
  return {
    internalUser: internalUser || made.internalUser,
    internalPassword: internalPassword || made.internalPassword,
  };
}

/** Kept, so that a server started by hand can use it as well. Other accounts lose access to the file. */
export function readSecrets(file: string): Secrets {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found) {
    const made = { internalUser: 'auth-server', internalPassword: randomToken(systemRandom) };
    writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    return made;
  }
  const startOver = `Please delete it, or start over with ${commandLine('demo', '--fresh')}.`;
  if (!found.isFile()) throw new Error(`Failed to read ${file}: it is no regular file. ${startOver}`);
  let secrets: Secrets;
  try {
    secrets = secretsShape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Error(`Failed to read ${file}. ${startOver}`, { cause });
  }
  const isOpen = process.platform !== 'win32' && (found.mode & 0o077) !== 0;
  makePrivate(file);
  if (isOpen)
    process.stdout.write(`Other accounts could read ${file}, which holds a password: not any more.\n`);
  return secrets;
}

/** Creates the population, unless the file has one of this version. */
export async function makePopulation(
  file: string,
  wanted: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const kept = existsSync(file) ? readPopulation(file) : undefined;
  if (kept?.version === MIS_SCHEMA_VERSION) {
    if (wanted !== undefined && wanted !== kept.invented) {
      process.stdout.write(
        `Keeping the population of ${kept.invented} invented patients; --fresh makes another.\n`,
      );
    }
    return;
  }
  if (kept) {
    process.stdout.write('Replacing the population, which another version of this program has made.\n');
    removeDatabase(file);
  }
  const patients = wanted ?? DEFAULT_PATIENT_COUNT;
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

async function builtPage(): Promise<string> {
  const shown = progress("Building the console's page", { quietFor: 1_000 });
  const { directory } = await buildConsolePage().finally(() => shown.clear());
  return directory;
}

async function builtPrograms({ console: hasConsole }: DemoConfig): Promise<Prepared['programs']> {
  const programs = { ehr: '', auth: '', client: '', console: '' };
  const wanted: Partial<Record<PartyName, string>> = {
    ehr: 'ehr-server/main.ts',
    auth: 'mock-auth-server/main.ts',
    client: 'mock-client/main.ts',
    ...(hasConsole && { console: 'console/main.ts' }),
  };
  for (const [name, main] of Object.entries(wanted))
    programs[name as PartyName] = (await builtProgram(root, main)) as string;
  return programs;
}

/** Writes the patients of this plan to a JSON file that only this user can read. Replaces an earlier one. */
function writePatients(file: string, plan: PopulationPlan): void {
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify([...population(plan)]), { mode: 0o600, flag: 'wx' });
}

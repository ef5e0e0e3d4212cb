/** The command line of the fixtures, as a function that tests run without a process, and what it shows. */

import { Presets, SingleBar } from 'cli-progress';
import { type Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { isOtherAddress, isPostgres, withoutSecrets } from '#ehr-server/database/address.ts';
import { GENDERS } from '#protocol/wire/matching.ts';
import { commandLine, programName } from '#service/process/command-line/program-name.ts';
import { toolCommand, wholeNumberArgument } from '#service/process/command-line/tool-command.ts';
import { FixturesError, type LoadOptions, type LoadProgress, StoppedError } from './load-population.ts';
import { localeCodes } from './locale.ts';
import { type Persona, personaList } from './personas.ts';
import { writePopulation } from './write-population.ts';

type CliParts = {
  /** Results. */
  out: FixturesOutput;
  /** Progress and errors. */
  err: FixturesOutput;
  /** Interrupts a run. */
  signal?: AbortSignal;
};

type PopulationFlags = { patients: number; seed: number; locale: string[]; database: string; force?: true };

/** Exit codes: done, failed, wrong usage, interrupted. */
const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

const MAX_PATIENTS = 100_000_000;
const MAX_SEED = 2 ** 32 - 1;

/**
 * Runs one command line.
 * @param argv the arguments without node and script
 * @returns the exit code
 */
export async function runFixtures(argv: readonly string[], parts: CliParts): Promise<number> {
  const program = createProgram(parts);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    // Commander has already printed what is wrong.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error instanceof StoppedError) {
      parts.err.write('Interrupted; the database is as it was before.\n');
      return EXIT.interrupted;
    }
    if (!(error instanceof FixturesError || error instanceof RangeError)) throw error;
    parts.err.write(`${error.message}\n`);
    return EXIT.failed;
  }
}

function createProgram(parts: CliParts): Command {
  const { out, err } = parts;
  const program = toolCommand(programName('fixtures'))
    .description('Fills the medical information system with invented patients, the named personas first.')
    .option(
      '--patients <count>',
      'how many patients to invent, besides the personas',
      wholeNumberArgument(0, MAX_PATIENTS),
      1000,
    )
    .option(
      '--seed <number>',
      'same seed, same patients, and the same bytes in a new file',
      wholeNumberArgument(0, MAX_SEED),
      7,
    )
    .addOption(localeOption)
    .option('--database <file>', 'SQLite file to write to, or a postgres:// address', '.data/ehr.sqlite')
    .option('--force', 'replace the population that the file holds')
    .addHelpText('after', EPILOGUE)
    .exitOverride()
    .configureOutput({ writeOut: (text) => void out.write(text), writeErr: (text) => void err.write(text) })
    .action((flags: PopulationFlags) => writePatients(flags, parts));
  program
    .command('personas')
    .description('list the named personas: who they are, what to type, what should happen')
    .option('--json', 'as JSON')
    .allowExcessArguments(false)
    .action(({ json }: { json?: true }) => {
      out.write(json ? `${JSON.stringify(personaList, undefined, 2)}\n` : personaTable());
    });
  return program;
}

/** Write the population, and say where it is. */
async function writePatients(flags: PopulationFlags, { out, err, signal }: CliParts): Promise<void> {
  const view = err.isTTY ? barOn(err) : linesOn(err);
  try {
    const { locale: locales, database, ...plan } = flags;
    // The address may contain a password, so the error does not repeat it.
    if (isOtherAddress(database))
      throw new FixturesError('--database must be a SQLite file or an address that begins with postgres://.');
    const options = { signal, onProgress: view.show };
    const { patients, existed } = isPostgres(database)
      ? await writeToPostgres(database, { ...plan, locales }, options)
      : await writePopulation({ ...plan, locales, file: database, ...options });
    view.stop();
    const named = withoutSecrets(database);
    const where = existed ? `into ${named}, beside what else it holds` : `to the new file ${named}`;
    out.write(
      `Wrote ${patients} patients ${where}: ${patients - plan.patients} of the personas and ${plan.patients} invented.\n`,
    );
  } finally {
    view.stop();
  }
}

type FixturesPlan = Omit<PopulationFlags, 'locale' | 'database'> & { locales: string[] };

async function writeToPostgres(url: string, { force, ...plan }: FixturesPlan, options: LoadOptions) {
  // Loaded only when needed: most populations go to a file.
  const { writePostgres } = await import('./write-postgres.ts');
  return { patients: await writePostgres(url, plan, { ...options, force }), existed: true };
}

const localeOption = new Option('--locale <list>', 'comma-separated locales of names, addresses and phones')
  .argParser(localeList)
  .default(['ru', 'en', 'de'], 'ru,en,de');

const EPILOGUE = `
A new file is complete or absent. A file that exists is changed in place, in one transaction: its population is
replaced, and whatever else it holds, such as the sessions of the EHR server, stays. So is a PostgreSQL database.

Examples:
  ${commandLine('fixtures', '--patients 100000 --seed 7 --locale ru,en,de --database .data/ehr.sqlite')}
  ${commandLine('fixtures', '--patients 0 --database personas.sqlite')}
  ${commandLine('fixtures', '--patients 100000 --database postgres://ehr@db.internal/ehr')}
  ${commandLine('fixtures', 'personas --json')}

Locales: ${wrap(localeCodes.join(', '), 108)}
`;

function localeList(text: string): string[] {
  const codes = text.split(',').map((code) => code.trim());
  const unknown = codes.find((code) => !localeCodes.includes(code));
  if (unknown !== undefined) {
    throw new InvalidArgumentError(
      `${unknown === '' ? 'It must be a list such as ru,en,de.' : `There is no locale "${unknown}" with person names.`} Those there are: ${localeCodes.join(', ')}.`,
    );
  }
  return [...new Set(codes)];
}

function wrap(text: string, width: number): string {
  return text.replace(new RegExp(`(.{1,${width}})(?: |$)`, 'g'), '$1\n  ').trimEnd();
}

type ProgressView = { show(progress: LoadProgress): void; stop(): void };

/** Where to write. `isTTY` selects the form. */
type FixturesOutput = NodeJS.WritableStream & { isTTY?: boolean };

function barOn(stream: FixturesOutput): ProgressView {
  const bar = new SingleBar(
    {
      stream,
      hideCursor: true,
      clearOnComplete: true,
      format: '{bar} {percentage}% | {value}/{total} patients | {phase} | {eta_formatted} left',
    },
    Presets.shades_classic,
  );
  let started = false;
  return {
    show({ phase, done, total }) {
      const payload = { phase: phase === 'indexes' ? 'sorting and indexing' : 'writing' };
      if (!started) bar.start(total, done, payload);
      else bar.update(done, payload);
      started = true;
    },
    stop() {
      if (started) bar.stop();
    },
  };
}

/** Writes a line for each tenth, so that a log stays short. */
function linesOn(output: FixturesOutput): ProgressView {
  let shown = 0;
  return {
    show({ phase, done, total }) {
      const tenth = phase === 'indexes' ? 11 : Math.floor((10 * done) / total);
      if (tenth <= shown) return;
      shown = tenth;
      output.write(phase === 'indexes' ? 'sorting and indexing\n' : `${done} of ${total} patients\n`);
    },
    stop: () => undefined,
  };
}

const HEADINGS = ['PERSONA', 'NAME', 'SURNAME', 'BORN', 'GENDER', 'PHONE', 'CARD'];

/** Returns one row for each person to type, then for each persona its description and expected outcome. */
export function personaTable(): string {
  const rows = [HEADINGS, ...personaList.flatMap(rowsOf)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  const table = rows.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
  const notes = personaList.map(({ name, title, outcome }) => `${name}: ${title}.\n  ${outcome}`);
  return [
    'Sign in with the phone, then type the rest into the identification form.',
    '',
    ...table,
    '',
    ...notes,
    '',
  ].join('\n');
}

function rowsOf({ name, typed, patients }: Persona): string[][] {
  return typed.map((person, index) => [
    index === 0 ? name : '',
    person.name,
    person.surname,
    person.date.slice(0, 10),
    genderName(person.gender),
    person.phone,
    patients[index]?.medcardNumber ?? '',
  ]);
}

function genderName(code: number): string {
  const [name] = Object.entries(GENDERS).find(([, value]) => value === code) ?? [];
  return `${code} ${name ?? ''}`;
}

/** Returns the width on the screen in columns: a decomposed letter takes one. */
function widthOf(text: string): number {
  return [...text.normalize('NFC')].length;
}

/** What several commands of the kit share: errors, exit codes, Ctrl-C, the terminal, and `--only`. */
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { CommanderError } from 'commander';
import { requirement } from '#protocol/requirements.ts';
import { systemClock } from '#protocol/time/clock.ts';
import { systemRandom } from '#protocol/time/random.ts';
import { SettingsError } from '#service/process/command-line/settings.ts';
import { isOfSystem } from '#service/process/files/writing.ts';
import type { Check } from '../../check/check.ts';
import { EXIT } from '../../check/verdict.ts';
import { weightOf } from '../../check/weight.ts';
import { harmless, inOneLine } from '../../harmless.ts';
import { AdapterFileError } from '../../party/file/problem.ts';
import { ServerStartError } from '../../party/process/server-process.ts';
import { tellStop } from '../../report/ci/github.ts';
import { weightWords } from '../../report/words.ts';
import type { JudgedRole, Opening } from '../../role.ts';

/** Ends the program with a message for the user and this exit code. */
export class Stop extends Error {
  readonly exitCode: number;
  constructor(message: string, options: ErrorOptions & { exitCode: number }) {
    super(message, options);
    this.exitCode = options.exitCode;
  }
}

/**
 * Ends the program with "Not set up" when the error is about the user's set-up. Throws any other error again.
 * @throws {Stop}
 */
export function stopNotSetUp(error: unknown): never {
  const isOfSetUp =
    error instanceof AdapterFileError ||
    error instanceof ServerStartError ||
    error instanceof SettingsError ||
    (error instanceof Error && error.message.startsWith('Failed to listen'));
  if (!isOfSetUp) throw error;
  throw new Stop(`Not set up.\n${error.message}`, { exitCode: EXIT.notSetUp, cause: error });
}

export const clock = systemClock;

export function toolVersion(): string {
  const { name, version } = JSON.parse(
    readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
  ) as { name: string; version: string };
  return `${name} ${version}`;
}

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Returns a signal that aborts on the first Ctrl-C or kill. A second one ends the program at once. */
export function breakable(): AbortSignal {
  const controller = new AbortController();
  for (const name of ENDING)
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(exitCodeOf(name));
      controller.abort(new BrokenOff(name));
    });
  return controller.signal;
}

export class BrokenOff extends Error {
  override name = 'BrokenOff';
  override message = 'The run was broken off.';
  readonly exitCode: number;
  constructor(signal: (typeof ENDING)[number]) {
    super();
    this.exitCode = exitCodeOf(signal);
  }
}

const exitCodeOf = (signal: (typeof ENDING)[number]): number => 128 + constants.signals[signal];

export function brokenOffCode({ reason }: AbortSignal): number {
  return reason instanceof BrokenOff ? reason.exitCode : exitCodeOf('SIGINT');
}

/** Asks the user a question on the terminal; returns undefined when there is no terminal. */
export const ask: Opening['ask'] = async (question, signal) => {
  if (!process.stdin.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question(`${question} `, { signal });
  } finally {
    terminal.close();
  }
};

export function tell(sentence: string): void {
  process.stderr.write(`\n>> ${inOneLine(sentence)}\n`);
}

/**
 * Selects the checks that `--only` names: comma-separated ids of checks, scenarios or requirements, or the
 * beginning of a clause such as `5.1`. Returns all checks when `only` is undefined.
 * @throws Stop when a name matches nothing
 */
export function chosenChecks(
  only: string | undefined,
  { checks, scenarios }: Pick<JudgedRole, 'checks' | 'scenarios'>,
): readonly Check[] {
  if (only === undefined) return checks;
  const names = only
    .split(',')
    .map((name) => name.trim().replace(/^§/, ''))
    .filter(Boolean);
  const chosen = new Set<Check>();
  for (const name of names) {
    const named = checks.filter(({ id }) => id === name);
    const fitting = named.length > 0 ? named : checks.filter((check) => fits(check, name, scenarios.length));
    if (fitting.length === 0)
      throw new Stop(`--only ${name}: no check, scenario, requirement or clause of this name. See --list.`, {
        exitCode: EXIT.notSetUp,
      });
    for (const check of fitting) chosen.add(check);
  }
  return checks.filter((check) => chosen.has(check));
}

/** Says which checks over all messages a scenario named by `--only` leaves out; undefined where none. */
export function leftOutBy(
  only: string | undefined,
  role: Pick<JudgedRole, 'checks' | 'scenarios'>,
): string | undefined {
  const chosen = chosenChecks(only, role);
  const names = (only ?? '').split(',').map((name) => name.trim());
  const all = role.scenarios.length;
  const left = role.checks.filter(
    (check) =>
      !chosen.includes(check) &&
      check.scenarios.length >= all &&
      check.scenarios.some((id) => names.includes(id)),
  );
  if (left.length === 0) return undefined;
  const ids = left.map(({ id }) => id).join(',');
  return `--only ${only} leaves out ${left.length} checks over all messages. To judge them too: --only ${only},${ids}`;
}

function fits({ scenarios: played, requirements }: Check, name: string, all: number): boolean {
  // A check that judges every scenario is not selected by the name of a single scenario.
  if (played.includes(name) && played.length < all) return true;
  return requirements.some(
    (each) =>
      each === name ||
      requirement(each)
        .clause.split(', ')
        .some(
          (clause) =>
            clause.replace(/^§/, '') === name ||
            clause.startsWith(`§${name}.`) ||
            clause.startsWith(`§${name} `),
        ),
  );
}

export function listOfChecks({ checks, scenarios }: Pick<JudgedRole, 'checks' | 'scenarios'>): string {
  const ids = new Set(checks.map(({ id }) => id));
  const lines = checks.map(
    ({ id, title, requirements }) =>
      `${id.padEnd(38)} ${weightWords(weightOf(requirements)).padEnd(19)} ${[...new Set(requirements.map((each) => requirement(each).clause))].join(', ')}\n    ${title}`,
  );
  // A scenario that belongs to a single check has the same id, and is listed with the check.
  const shared = scenarios
    .filter(({ id }) => !ids.has(id))
    .map(({ id, title }) => `${id.padEnd(38)} ${title}`);
  return [...lines, ...(shared.length > 0 ? ['', 'Scenarios, which --only takes too:', ...shared] : [])].join(
    '\n',
  );
}

export function openingOf(config: string, seed: number, signal: AbortSignal): Opening {
  return { config, seed, clock, random: systemRandom, env: process.env, signal, tell, ask };
}

/**
 * Names of the errors that the user can correct. Names and not classes: to import the classes would load the
 * modules of every command.
 */
const USER_ERRORS: ReadonlySet<string> = new Set([
  'InitError',
  'InitStopped',
  'InputError',
  'AdapterFileError',
  'BaselineError',
  'SqliteUnavailable',
  'SettingsError',
]);

/**
 * Writes what happened to standard error.
 * @returns the exit code; never 1, which means "not conformant", unless the error itself carries it
 */
export function exitCodeFor(error: unknown): number {
  // The parser of the command line has written its own message.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conformant : EXIT.notSetUp;
  const { text, exitCode } = explained(error);
  process.stderr.write(`${harmless(text)}\n`);
  tellStop({ error, text, exitCode });
  return exitCode;
}

function explained(error: unknown): { text: string; exitCode: number } {
  if (error instanceof BrokenOff) return { text: 'Interrupted.', exitCode: error.exitCode };
  if (error instanceof Stop) return { text: error.message, exitCode: error.exitCode };
  if (!(error instanceof Error)) return { text: `${FAULT}\n${String(error)}`, exitCode: EXIT.harnessFault };
  if (USER_ERRORS.has(error.name)) return { text: error.message, exitCode: EXIT.notSetUp };
  if (isOfSystem(error))
    return { text: `The system refused something to the kit: ${error.message}.`, exitCode: EXIT.notSetUp };
  return { text: `${FAULT}\n${error.stack ?? error.message}`, exitCode: EXIT.harnessFault };
}

const FAULT = 'A fault of the kit itself, not of your server. Please report it.';

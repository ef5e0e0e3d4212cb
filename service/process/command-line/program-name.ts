/** The command line that runs a program, in a clone or as an installed package, and the package version. */
import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** The command that runs every program of an installed package. */
export const HARNESS = 'embedded-ehr-harness';

/** The subcommand of each program. */
const subcommands = {
  demo: 'demo',
  e2e: 'e2e',
  interop: 'interop',
  conformance: 'conformance',
  ehr: 'ehr-server',
  auth: 'auth-server',
  client: 'client',
  fixtures: 'fixtures',
  clock: 'clock',
  fault: 'fault',
} as const;

export type ProgramName = keyof typeof subcommands;

/** Programs that are commands of their own, too. */
const ownCommands: Readonly<Partial<Record<ProgramName, string>>> = {
  ehr: 'ehr-server',
  auth: 'ehr-auth-server',
  client: 'ehr-client',
  conformance: 'ehr-conformance',
  fixtures: 'ehr-fixtures',
};

/** The directory of package.json: two levels above a built program, or three above this source. */
const root = ['../../', '../../../']
  .map((up) => new URL(up, import.meta.url))
  .find((directory) => existsSync(new URL('package.json', directory)));

/** An installed package has the built programs, and not the script that runs the sources. */
const isInstalled = root !== undefined && !existsSync(new URL('scripts/run.mjs', root));

/** Whether the user typed a subcommand. The file of the command has its name on every system. */
const isSubcommand = basename(process.argv[1] ?? '').startsWith(HARNESS);

/**
 * The command line to type in this installation.
 * @example commandLine('ehr', 'audit --limit 20') // 'npm run ehr -- audit --limit 20', or 'ehr-server audit
 * --limit 20'
 */
export function commandLine(program: ProgramName, args?: string): string {
  if (args !== undefined) return `${programName(program)} ${args}`;
  return isInstalled ? installedCommand(program) : `npm run ${program}`;
}

/** The command of the program without arguments, as its `--help` names it. */
export function programName(program: ProgramName): string {
  return isInstalled ? installedCommand(program) : `npm run ${program} --`;
}

function installedCommand(program: ProgramName): string {
  const own = isSubcommand ? undefined : ownCommands[program];
  return own ?? `${HARNESS} ${subcommands[program]}`;
}

/**
 * The last line of what a program says of a command line that it cannot use.
 * @param command as typed before the options, such as `npm run clock --`
 */
export function seeHelp(command: string): string {
  return `See "${command} --help" for the options.`;
}

/** The version of the package. */
export function packageVersion(): string {
  if (root === undefined) return 'unknown';
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  return version;
}

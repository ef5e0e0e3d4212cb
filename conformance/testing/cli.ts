/** For tests: runs the command line of the kit, in this process or in one of its own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { systemClock } from '#protocol/time/clock.ts';
import { startProgram } from '#testing/programs/program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { runCommandLine } from '../engine/cli/command-line.ts';
import type { Report, ReportedVerdict } from '../engine/report/schema/schema.ts';
import { wholePage } from '../engine/report/testing/pages.ts';
import { roles } from '../roles/index.ts';

const RUN = fileURLToPath(new URL('../../scripts/run.mjs', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../examples/', import.meta.url));

export const example = (name: string): string => join(EXAMPLES, name);

/** Reads the file of an example. Written elsewhere, it still starts its program in the folder of the example. */
export function readExample<File>(name: string): File {
  const file = parse(readFileSync(example(name), 'utf8'));
  const start = file.server?.start;
  if (start) start.cwd = example(start.cwd ?? '');
  return file;
}

/** Writes a file about a party into a directory, as JSON. Returns its path. */
export function writeParty(directory: string, file: object): string {
  const path = join(directory, 'party.json');
  writeFileSync(path, JSON.stringify(file));
  return path;
}

/** `code` is null where a signal ended the command line. `output`: stdout and stderr together. */
type Ended = { code: number | null; output: string };

/**
 * Starts the command line in a process of its own, for tests of signals and of its surroundings. Its output
 * has no colours, for the tests to compare.
 */
export function startCli(...args: string[]) {
  const env = { NO_COLOR: '1', FORCE_COLOR: undefined };
  const { child, text, says, ended } = startProgram([RUN, 'conformance/main.ts', ...args], { env });
  return {
    child,
    output: text,
    says,
    ended: ended.then(({ code, text: output }): Ended => ({ code, output })),
  };
}

/** Runs the command line to its end in this process. Two calls must not overlap. */
export async function runCli(...args: string[]): Promise<Ended> {
  const written: string[] = [];
  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
  const { NO_COLOR, FORCE_COLOR } = process.env;
  const before = LISTENED.map((event) => process.listeners(event as NodeJS.Signals));
  for (const { stream } of streams)
    stream.write = ((text: string) => written.push(text) > 0) as typeof stream.write;
  setEnv({ NO_COLOR: '1', FORCE_COLOR: undefined });
  try {
    const code = await runCommandLine([process.execPath, 'conformance', ...args], roles);
    return { code, output: written.join('') };
  } finally {
    for (const { stream, write } of streams) stream.write = write;
    setEnv({ NO_COLOR, FORCE_COLOR });
    for (const [at, event] of LISTENED.entries())
      for (const listener of process.listeners(event as NodeJS.Signals))
        if (!before[at]?.includes(listener)) process.off(event, listener);
  }
}

/** What the command line listens to until its process ends. */
const LISTENED = ['uncaughtException', 'SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

function setEnv(values: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

/**
 * Judges a party by the file `config`, and returns the exit code, the output, the report, the verdicts that
 * are not a pass (`red`) and the text of each report file by its name. The directory of the reports is
 * removed after the test.
 */
export async function judged(role: string, config: string, ...more: string[]) {
  const directory = temporaryFolder();
  const { code, output } = await runCli(role, '--config', config, '--report', directory, ...more);
  const report = readReport(directory);
  const isRed = ({ outcome }: ReportedVerdict) => !['pass', 'not applicable'].includes(outcome);
  const textOf = (file: string) => {
    const text = readFileSync(join(directory, file), 'utf8');
    // The test seeks secrets in the packed data, too.
    return file === 'report.html' ? wholePage(text) : text;
  };
  const texts = Object.fromEntries(REPORTS.map((file) => [file, textOf(file)]));
  return { code, output, ...report, red: report.verdicts.filter(isRed), texts, directory };
}

const REPORTS = ['run.json', 'report.json', 'junit.xml', 'summary.md', 'report.html'];

/** Resolves when `holds` returns true. Asks every 50 ms, because another process gives no sign. */
export function until(holds: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (holds()) resolve();
      else systemClock.after(50, look);
    };
    look();
  });
}

export function readReport(directory: string): Report {
  return JSON.parse(readFileSync(join(directory, 'report.json'), 'utf8')) as Report;
}

export const judgePage = readFileSync(new URL('../../docs/judge.md', import.meta.url), 'utf8');

/** Returns the commands of the kit below a heading, as words without the program. Examples are local. */
export function commandsBelow(heading: string): string[][] {
  const [, section = ''] = judgePage.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/^npm run conformance -- (.+)$/gm)].map(([, words = '']) => words.split(' '));
}

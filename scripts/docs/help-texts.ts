/**
 * `scripts/help.json`: the answer of each command to `--help`, so that a fresh clone can answer before
 * anything is installed.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

export const HELP_FILE = 'scripts/help.json';

const run = promisify(execFile);

/** Programs without flags, which have no help. */
const WITHOUT_HELP = ['scripts/build/library/main.ts'];

/** Returns the modules of the programs that package.json starts through the set-up. */
export function programsOf(directory: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const modules = Object.values(scripts).flatMap(
    (line) => /^node scripts\/run\.mjs (\S+)$/.exec(line)?.[1] ?? [],
  );
  return modules.filter((module) => !WITHOUT_HELP.includes(module));
}

/** Returns the file as JSON: the help of each module, and of each command of a module. */
export async function helpTexts(directory: string): Promise<string> {
  const texts = await Promise.all(programsOf(directory).map((module) => textsOf(directory, module)));
  return `${JSON.stringify(Object.fromEntries(texts.flat()), undefined, 2)}\n`;
}

async function textsOf(directory: string, module: string): Promise<[string, string][]> {
  const help = await ask(directory, module);
  const texts: [string, string][] = [[module, help]];
  for (const command of commandsIn(help))
    texts.push([`${module} ${command}`, await ask(directory, module, command)]);
  return texts;
}

async function ask(directory: string, ...words: string[]): Promise<string> {
  // Excludes the reader's environment variables, which some defaults show.
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '' };
  const { stdout } = await run(process.execPath, ['scripts/run.mjs', ...words, '--help'], {
    cwd: directory,
    env,
  });
  return stdout;
}

/** Returns the commands that a help text lists. */
export function commandsIn(help: string): string[] {
  const [, list = ''] = /^Commands.*:\n((?: +\S.*\n)+)/m.exec(help) ?? [];
  const names = [...list.matchAll(/^ {2}(\S+)/gm)].map(([, name = '']) => name);
  return names.filter((name) => name !== 'help');
}

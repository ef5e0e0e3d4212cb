/**
 * The command `init`: asks a few questions, and writes the file by which the kit finds the party under test
 * (for an authorization server, its adapter file).
 */
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { requireFile, writeWhole } from '#service/process/files/writing.ts';
import { EXIT } from '../../check/verdict.ts';
import { InputError } from '../../input-error.ts';
import type { SeenExchange } from '../../learn/exchange.ts';
import { readHarFile } from '../../learn/har.ts';
import type { Role } from '../../role.ts';
import { Dialogue, type Input, type Output } from './answers.ts';

type InitOptions = {
  input: Input;
  output: Output;
  role: Pick<Role, 'init'>;
  file?: string | undefined;
  seen?: readonly SeenExchange[] | undefined;
  force?: boolean | undefined;
};

/**
 * Asks on `output`, reads the answers from `input` (a terminal or a pipe), and writes the file. The file is
 * written whole or not at all. When a pipe has fewer lines than questions, the defaults answer the others.
 * @returns the path of the written file
 * @throws InputError when the file cannot be written, an answer cannot be used, or the person aborts
 */
export async function runInit(options: InitOptions): Promise<string> {
  const { input, output, role, file = role.init.file, force = false, seen } = options;
  requireNewFile(file, force);
  const dialogue = new Dialogue(input, output);
  try {
    const { text, left } =
      seen && role.init.learn
        ? await role.init.learn(seen, dialogue, file)
        : await role.init.ask(dialogue, file);
    write(file, text, force);
    const lines = left.map((what, at) => `  ${at + 1}. ${what}\n`);
    dialogue.say(`\nWrote ${file}. What is left to do:\n${lines.join('')}`);
    return file;
  } finally {
    dialogue.close();
  }
}

/** @throws InputError that says why the file cannot be written, before the person answers anything */
export function requireNewFile(file: string, force: boolean): void {
  if (!['.yaml', '.yml'].includes(extname(file).toLowerCase()))
    throw new InputError(`Failed to write ${file}: its name must end in .yaml or .yml.`);
  if (!existsSync(dirname(resolve(file))))
    throw new InputError(`Failed to write ${file}: its directory does not exist.`);
  if (!force && existsSync(file)) throw existing(file);
  requireFile('The file', file);
}

function write(file: string, text: string, force: boolean): void {
  try {
    if (force) writeWhole(file, text);
    else writeFileSync(file, text, { flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw existing(file);
    throw new InputError(`Failed to write ${file}: ${(cause as Error).message}`, { cause });
  }
}

function existing(file: string): InputError {
  return new InputError(
    `Failed to write ${file}: it is there already. Please name another file, or add --force to replace it.`,
  );
}

type InitCommandOptions = { file: string | undefined; from?: string; doctor: boolean; force: boolean };

export async function initCommand(options: InitCommandOptions, role: Role): Promise<number> {
  const { from } = options;
  if (from !== undefined && !role.init.learn)
    throw new InputError(
      `Nothing can be learned from a recording for --role ${role.id}. Please leave out --from.`,
    );
  return writeAndExamine(from === undefined ? undefined : readHarFile(from), options, role);
}

/** Writes the file, and runs the doctor where it was learned from a recording. Returns the exit code. */
export async function writeAndExamine(
  seen: readonly SeenExchange[] | undefined,
  { file, doctor, force }: Omit<InitCommandOptions, 'from'>,
  role: Role,
): Promise<number> {
  const written = await runInit({ input: process.stdin, output: process.stdout, role, file, force, seen });
  if (seen === undefined || !doctor) return EXIT.conformant;
  process.stdout.write('\nThe doctor on this file:\n');
  const { runDoctor } = await import('./judge-run.ts');
  return runDoctor({ config: written, seed: 1 }, role);
}

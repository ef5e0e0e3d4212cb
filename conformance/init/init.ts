/** `npm run conformance -- init`: asks a few questions and writes an adapter file. */

import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine } from '#service/process/program-name.ts';
import { type Input, type Output, openAnswers } from './answers.ts';
import { fileText } from './file-text.ts';
import { InitError } from './init-error.ts';
import { askChoices } from './questions.ts';

export type InitOptions = {
  input: Input;
  output: Output;
  /** The file to write; `my-server.yaml` unless given. */
  file?: string | undefined;
  /** Whether an existing file may be replaced. */
  force?: boolean | undefined;
};

const DEFAULT_FILE = 'my-server.yaml';

const SCHEMA = fileURLToPath(new URL('../adapter.schema.json', import.meta.url));

/**
 * Asks on `output`, reads the answers from `input` (a terminal or a pipe), and writes the file whole or not
 * at all. Takes the default answers where a pipe ends.
 * @returns the written file
 * @throws InitError when the file cannot be written or an answer cannot be used
 * @throws InitStopped when the person aborts with Ctrl-C or Ctrl-D
 */
export async function runInit({ input, output, file = DEFAULT_FILE, force = false }: InitOptions): Promise<string> {
  if (!['.yaml', '.yml'].includes(extname(file).toLowerCase()))
    throw new InitError(`Failed to write ${file}: its name must end in .yaml or .yml.`);
  if (!existsSync(dirname(resolve(file))))
    throw new InitError(`Failed to write ${file}: its directory does not exist.`);
  if (!force && existsSync(file)) throw existing(file);
  const answers = openAnswers(input, output);
  const say = (text: string) => void output.write(text);
  try {
    const choices = await askChoices(answers, say);
    write(file, fileText(choices, schemaFrom(file)), force);
    say(`\nWrote ${file}. What is left to do:
  1. Look through its steps: the paths and members there are a guess.
  2. Set ${choices.userVariable} and ${choices.passwordVariable} to what your server has.
  3. ${commandLine('conformance', `doctor --config ${file}`)}
`);
    return file;
  } finally {
    answers.close();
  }
}

function write(file: string, text: string, force: boolean): void {
  const partial = `${file}.partial`;
  try {
    if (!force) {
      writeFileSync(file, text, { flag: 'wx' });
      return;
    }
    writeFileSync(partial, text);
    renameSync(partial, file);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw existing(file);
    rmSync(partial, { force: true });
    throw new InitError(`Failed to write ${file}: ${(cause as Error).message}`, { cause });
  }
}

function existing(file: string): InitError {
  return new InitError(
    `Failed to write ${file}: it is there already. Please name another file, or add --force to replace it.`,
  );
}

/** Relative, so that the file does not depend on the project's place on this machine. */
function schemaFrom(file: string): string {
  return relative(dirname(resolve(file)), SCHEMA)
    .split(sep)
    .join('/');
}

/** `npm run conformance -- init`: asks a few questions and writes the file about a party. */

import { existsSync, writeFileSync } from 'node:fs';
import { dirname, extname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine } from '#service/process/program-name.ts';
import { requireFile, writeWhole } from '#service/process/writing.ts';
import { fileText } from '../../../roles/auth-server/init/file-text.ts';
import { askChoices } from '../../../roles/auth-server/init/questions.ts';
import { askClientChoices, clientFileText } from '../../../roles/client/init.ts';
import { askEhrChoices, ehrFileText } from '../../../roles/ehr-server/init.ts';
import type { Role } from '../../journal/run-file.ts';
import { type Input, type Output, openAnswers } from './answers.ts';
import { type Asking, asking } from './asking.ts';
import { InitError } from './init-error.ts';

export type InitOptions = {
  input: Input;
  output: Output;
  /** The party that the file is about; the authorization server unless given. */
  role?: Role | undefined;
  /** The file to write; {@link DEFAULT_FILES} unless given. */
  file?: string | undefined;
  /** Whether an existing file may be replaced. */
  force?: boolean | undefined;
};

const DEFAULT_FILES = {
  'auth-server': 'my-server.yaml',
  'ehr-server': 'my-ehr.yaml',
  client: 'my-client.yaml',
} as const satisfies Record<Role, string>;

const SCHEMA = fileURLToPath(new URL('../../../adapter.schema.json', import.meta.url));

/**
 * Asks on `output`, reads the answers from `input` (a terminal or a pipe), and writes the file whole or not
 * at all. Takes the default answers where a pipe ends.
 * @returns the written file
 * @throws InitError when the file cannot be written or an answer cannot be used
 * @throws InitStopped when the person aborts with Ctrl-C or Ctrl-D
 */
export async function runInit(options: InitOptions): Promise<string> {
  const { input, output, role = 'auth-server', file = DEFAULT_FILES[role], force = false } = options;
  if (!['.yaml', '.yml'].includes(extname(file).toLowerCase()))
    throw new InitError(`Failed to write ${file}: its name must end in .yaml or .yml.`);
  if (!existsSync(dirname(resolve(file))))
    throw new InitError(`Failed to write ${file}: its directory does not exist.`);
  if (!force && existsSync(file)) throw existing(file);
  requireFile('The file', file);
  const answers = openAnswers(input, output);
  const say = (text: string) => void output.write(text);
  try {
    const { text, left } = await contents[role](asking(answers, say), file);
    write(file, text, force);
    say(`\nWrote ${file}. What is left to do:\n${left.map((what, at) => `  ${at + 1}. ${what}\n`).join('')}`);
    return file;
  } finally {
    answers.close();
  }
}

type Content = {
  text: string;
  /** Sentences that tell the user the next steps, in order. */
  left: readonly string[];
};

/** Asks the questions about each party, and writes the text from the answers. */
const contents: Readonly<Record<Role, (asking: Asking, file: string) => Promise<Content>>> = {
  async 'auth-server'(asking, file) {
    const choices = await askChoices(asking);
    return {
      text: fileText(choices, schemaFrom(file)),
      left: [
        'Look through its steps: the paths and members there are a guess.',
        variablesToSet(choices),
        commandLine('conformance', `doctor --config ${file}`),
      ],
    };
  },
  async 'ehr-server'(asking, file) {
    const choices = await askEhrChoices(asking);
    return {
      text: ehrFileText(choices),
      left: [
        'Name at least three patients of your test system under people.matching.',
        variablesToSet(choices),
        commandLine('conformance', `ehr-server --config ${file} --doctor`),
      ],
    };
  },
  async client(asking, file) {
    const choices = await askClientChoices(asking);
    return {
      text: clientFileText(choices),
      left: [TO_LOOK_AT[choices.way], commandLine('conformance', `client --config ${file} --doctor`)],
    };
  },
};

const TO_LOOK_AT = {
  program: 'Write the program: docs/for-clients.md shows each line that it is given, and what it answers.',
  browser: 'Look through actions and screens: the words there are a guess.',
  person: 'Let your client call the two ports of the file.',
} as const;

const variablesToSet = ({ userVariable, passwordVariable }: { userVariable: string; passwordVariable: string }) =>
  `Set ${userVariable} and ${passwordVariable} to what your server has.`;

function write(file: string, text: string, force: boolean): void {
  try {
    if (force) writeWhole(file, text);
    else writeFileSync(file, text, { flag: 'wx' });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw existing(file);
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

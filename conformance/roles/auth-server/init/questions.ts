/** Asks the questions of `init` whose answers make an adapter file. */
import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Asking } from '../../../engine/cli/commands/answers.ts';
import { baseUrl, text, variableName } from '../../../engine/party/file/fields.ts';
import { phonePattern } from '../adapter/file/schema/schema.ts';

/** The answers to how a client talks to the server, and to how the kit can learn a code. */
export const TALKS = ['rest', 'json-rpc', 'person'] as const;
export const CODES = ['json-sms', 'twilio-sms', 'outbox', 'fixed', 'ask', 'none'] as const;

export type Choices = {
  name: string;
  url: string;
  /** How a client talks to the server. `person`: a person does each step in their own app. */
  talks: (typeof TALKS)[number];
  /** How the kit learns a code. `none`: there is none, or a person types it in their own app. */
  codes: (typeof CODES)[number];
  /** Where the server has the address of the EHR server, in words. */
  configuredIn: string;
  userVariable: string;
  passwordVariable: string;
  /** A pattern, in which each # is any digit. */
  phones: string;
};

/** What a recording has shown already, and so is not asked. */
export type ShownServer = { url: string; hasCode: boolean; phones: string };

/** Asks all questions. What a recording shows is the answer in brackets. */
export async function askChoices({ text: ask, choice }: Asking, known?: ShownServer): Promise<Choices> {
  const name = await ask(
    'Name of your authorization server, for reports',
    'My authorization server',
    text.max(100),
  );
  const url = await ask('Its base URL, as reached from here', known?.url ?? 'http://127.0.0.1:8080', baseUrl);
  const talks = known ? 'rest' : await askTalks(choice);
  const hasCode = known ? known.hasCode : talks !== 'person';
  const codes = hasCode ? await askCodes(choice) : 'none';
  const configuredIn = await ask(
    'Where is the address of the EHR server set in it?',
    'EHR_URL in its settings',
    text,
  );
  const { userVariable, passwordVariable } = await askVariables(ask);
  const phones = await ask(
    'Phones to sign in with, # for any digit',
    known?.phones ?? USUAL_PHONES,
    phonePattern,
  );
  return { name, url, talks, codes, configuredIn, userVariable, passwordVariable, phones };
}

/** A range to which nothing real can be sent. */
export const USUAL_PHONES = '7999555####';

function askTalks(choice: Asking['choice']): Promise<Choices['talks']> {
  return choice('How does a client talk to it?', TALKS, {
    rest: 'plain HTTP requests',
    'json-rpc': 'JSON-RPC 2.0 calls',
    person: 'a person does each step in their own app',
  });
}

export async function askVariables(
  ask: Asking['text'],
): Promise<Pick<Choices, 'userVariable' | 'passwordVariable'>> {
  const userVariable = await ask(
    'Environment variable with its internal user name',
    'EHR_INTERNAL_USER',
    variableName,
  );
  const passwordVariable = await ask(
    'Environment variable with its internal password',
    'EHR_INTERNAL_PASSWORD',
    variableName,
  );
  return { userVariable, passwordVariable };
}

function askCodes(choice: Asking['choice']): Promise<Choices['codes']> {
  return choice('How can the one-time code be learned?', CODES, {
    'json-sms': 'the server sends messages to this kit, as JSON',
    'twilio-sms': "the server sends messages to this kit, by Twilio's API",
    outbox: 'the server, or a fake gateway, lists its messages at an address',
    fixed: 'the code is always the same',
    ask: 'a person types it in',
    none: 'the sign-in has no code',
  });
}

export const variablesToSet = ({
  userVariable,
  passwordVariable,
}: Pick<Choices, 'userVariable' | 'passwordVariable'>) =>
  `Set ${userVariable} and ${passwordVariable} to what your server has.`;

const SCHEMA = fileURLToPath(new URL('../../../adapter.schema.json', import.meta.url));

/** The path of the schema, relative to `file`, so that both may be moved. */
export function schemaFrom(file: string): string {
  return relative(dirname(resolve(file)), SCHEMA)
    .split(sep)
    .join('/');
}

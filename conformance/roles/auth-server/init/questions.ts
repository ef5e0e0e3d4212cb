/** The few questions about an authorization server. */

import { dirname, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Asking } from '../../../engine/cli/init/asking.ts';
import { baseUrl, text, variableName } from '../../../engine/party/file/fields.ts';
import { phonePattern } from '../adapter/file/schema/schema.ts';

export const TALKS = ['rest', 'json-rpc', 'person'] as const;
export const CODES = ['json-sms', 'twilio-sms', 'outbox', 'fixed', 'ask', 'none'] as const;

export type Choices = {
  name: string;
  url: string;
  /** How a client talks to the server; `person`: the steps are done by hand. */
  talks: (typeof TALKS)[number];
  /** How a code is learned; `none`: the sign-in has no code that the kit would need. */
  codes: (typeof CODES)[number];
  configuredIn: string;
  userVariable: string;
  passwordVariable: string;
  phones: string;
};

/** Asks all questions. */
export async function askChoices({ text: ask, choice }: Asking): Promise<Choices> {
  const name = await ask(
    'Name of your authorization server, for reports',
    'My authorization server',
    text.max(100),
  );
  const url = await ask('Its base URL, as reached from here', 'http://127.0.0.1:8080', baseUrl);
  const talks = await choice('How does a client talk to it?', TALKS, {
    rest: 'plain HTTP requests',
    'json-rpc': 'JSON-RPC 2.0 calls',
    person: 'a person does each step in their own app',
  });
  const codes = talks === 'person' ? 'none' : await askCodes(choice);
  const configuredIn = await ask(
    'Where is the address of the EHR server set in it?',
    'EHR_URL in its settings',
    text,
  );
  const { userVariable, passwordVariable } = await askVariables(ask);
  const phones = await ask('Phones to sign in with, # for any digit', '7999555####', phonePattern);
  return { name, url, talks, codes, configuredIn, userVariable, passwordVariable, phones };
}

/** Asks where the credentials of the internal channel are. */
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

/** Relative, so that the file does not depend on the project's place on this machine. */
export function schemaFrom(file: string): string {
  return relative(dirname(resolve(file)), SCHEMA)
    .split(sep)
    .join('/');
}

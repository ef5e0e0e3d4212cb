/** The few questions of `init`, each with a default answer and the adapter file's own error messages. */
import type { z } from 'zod';
import { baseUrl, text, variableName } from '../adapter/file/fields.ts';
import { phonePattern } from '../adapter/file/schema.ts';
import type { Answers } from './answers.ts';
import { InitError } from './init-error.ts';

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

/**
 * Asks all questions.
 * @throws InitStopped when the person aborts
 * @throws InitError when an answer from a pipe cannot be used
 */
export async function askChoices(answers: Answers, say: (text: string) => void): Promise<Choices> {
  say(
    'A few questions; Enter alone takes the answer in brackets. Everything can be changed in the file afterwards.\n\n',
  );
  const ask = (question: string, usual: string, kind: Parameters<typeof askText>[4]) =>
    askText(answers, say, question, usual, kind);
  const name = await ask('Name of your authorization server, for reports', 'My authorization server', text.max(100));
  const url = await ask('Its base URL, as reached from here', 'http://127.0.0.1:8080', baseUrl);
  const talks = await askChoice(answers, say, 'How does a client talk to it?', TALKS, {
    rest: 'plain HTTP requests',
    'json-rpc': 'JSON-RPC 2.0 calls',
    person: 'a person does each step in their own app',
  });
  const codes = talks === 'person' ? 'none' : await askCodes(answers, say);
  const configuredIn = await ask('Where is the address of the EHR server set in it?', 'EHR_URL in its settings', text);
  const userVariable = await ask('Environment variable with its internal user name', 'EHR_INTERNAL_USER', variableName);
  const passwordVariable = await ask(
    'Environment variable with its internal password',
    'EHR_INTERNAL_PASSWORD',
    variableName,
  );
  const phones = await ask('Phones to sign in with, # for any digit', '7999555####', phonePattern);
  return { name, url, talks, codes, configuredIn, userVariable, passwordVariable, phones };
}

function askCodes(answers: Answers, say: (text: string) => void): Promise<Choices['codes']> {
  return askChoice(answers, say, 'How can the one-time code be learned?', CODES, {
    'json-sms': 'the server sends messages to this kit, as JSON',
    'twilio-sms': "the server sends messages to this kit, by Twilio's API",
    outbox: 'the server, or a fake gateway, lists its messages at an address',
    fixed: 'the code is always the same',
    ask: 'a person types it in',
    none: 'the sign-in has no code',
  });
}

async function askText(
  answers: Answers,
  say: (text: string) => void,
  question: string,
  usual: string,
  schema: z.ZodType<string>,
): Promise<string> {
  return askUntil(answers, say, `${question} [${usual}]: `, (answer) => {
    const parsed = schema.safeParse(answer === '' ? usual : answer);
    return parsed.success
      ? { value: parsed.data }
      : { problem: `"${answer}" ${parsed.error.issues[0]?.message ?? 'cannot be used'}.` };
  });
}

async function askChoice<Name extends string>(
  answers: Answers,
  say: (text: string) => void,
  question: string,
  names: readonly [Name, ...Name[]],
  meanings: Readonly<Record<Name, string>>,
): Promise<Name> {
  const lines = names.map((name, index) => `  ${index + 1}  ${name.padEnd(10)} ${meanings[name]}\n`);
  say(`${question}\n${lines.join('')}`);
  return askUntil(answers, say, `Number or name [${names[0]}]: `, (answer) => {
    const value =
      answer === ''
        ? names[0]
        : names.find((name, index) => name === answer.toLowerCase() || String(index + 1) === answer);
    return value ? { value } : { problem: `"${answer}" is none of ${names.join(', ')}.` };
  });
}

/**
 * Asks a person again after a wrong answer. A pipe has its answers in order, so another question would shift
 * the rest.
 */
async function askUntil<T>(
  answers: Answers,
  say: (text: string) => void,
  question: string,
  read: (answer: string) => { value: T } | { problem: string },
): Promise<T> {
  for (;;) {
    const result = read((await answers.ask(question)) ?? '');
    if ('value' in result) return result.value;
    if (!answers.isPerson)
      throw new InitError(`Failed to write the adapter file: ${question.replace(/ \[.*/s, '')}: ${result.problem}`);
    say(`${result.problem}\n`);
  }
}

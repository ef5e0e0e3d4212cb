/** Questions of `init`, each with a default answer and the file's own error messages. */
import type { z } from 'zod';
import type { Answers } from './answers.ts';
import { InitError } from './init-error.ts';

/** Asks one question after another. */
export type Asking = {
  /** Asks for a text. Enter alone takes the usual one. */
  text(question: string, usual: string, schema: z.ZodType<string>): Promise<string>;
  /** Asks for one of several, by its number or its name. Enter alone takes the first. */
  choice<Name extends string>(
    question: string,
    names: readonly [Name, ...Name[]],
    meanings: Readonly<Record<Name, string>>,
  ): Promise<Name>;
};

/**
 * Says how to answer. Each question throws InitStopped when the person aborts, and InitError when an answer
 * from a pipe cannot be used.
 */
export function asking(answers: Answers, say: (text: string) => void): Asking {
  say(
    'A few questions; Enter alone takes the answer in brackets. Everything can be changed in the file afterwards.\n\n',
  );
  return {
    text: (question, usual, schema) => askText(answers, say, question, usual, schema),
    choice: (question, names, meanings) => askChoice(answers, say, question, names, meanings),
  };
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
      throw new InitError(`Failed to write the file: ${question.replace(/ \[.*/s, '')}: ${result.problem}`);
    say(`${result.problem}\n`);
  }
}

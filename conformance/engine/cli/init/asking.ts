/** Questions of `init`, each with a default answer and the file's own error messages. */
import type { z } from 'zod';
import { type Answers, InitError } from './answers.ts';

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
  /** Asks a person again after a wrong answer. Another question to a pipe would shift the rest. */
  async function ask<T>(question: string, read: (answer: string) => { value: T } | { problem: string }) {
    for (;;) {
      const result = read((await answers.ask(question)) ?? '');
      if ('value' in result) return result.value;
      const { problem } = result;
      if (!answers.isPerson)
        throw new InitError(`Failed to write the file: ${question.replace(/ \[.*/s, '')}: ${problem}`);
      say(`${problem}\n`);
    }
  }
  return {
    text: (question, usual, schema) =>
      ask(`${question} [${usual}]: `, (answer) => {
        const { data, error } = schema.safeParse(answer === '' ? usual : answer);
        return data === undefined
          ? { problem: `"${answer}" ${error?.issues[0]?.message ?? 'cannot be used'}.` }
          : { value: data };
      }),
    choice: (question, names, meanings) => {
      const lines = names.map((name, index) => `  ${index + 1}  ${name.padEnd(10)} ${meanings[name]}\n`);
      say(`${question}\n${lines.join('')}`);
      return ask(`Number or name [${names[0]}]: `, (answer) => {
        const isMeant = (name: string, index: number) =>
          name === answer.toLowerCase() || String(index + 1) === answer;
        const value = answer === '' ? names[0] : names.find(isMeant);
        return value ? { value } : { problem: `"${answer}" is none of ${names.join(', ')}.` };
      });
    },
  };
}

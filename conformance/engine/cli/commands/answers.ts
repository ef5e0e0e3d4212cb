/**
 * Reads the user's answers to the questions of `init`, one line each, from a terminal or a pipe. A pipe may
 * send all lines at once: no line is lost.
 */
import { createInterface } from 'node:readline';
import type { z } from 'zod';
import { InputError } from '../../input-error.ts';

export type Input = NodeJS.ReadableStream & { isTTY?: boolean };
export type Output = NodeJS.WritableStream;

export type Asking = {
  /** Asks for a text. Enter alone takes `usual`. An answer that the schema refuses is not accepted. */
  text(question: string, usual: string, schema: z.ZodType<string>): Promise<string>;
  /** Asks the user to choose a name, by number or by name. Enter alone takes the first. */
  choice<Name extends string>(
    question: string,
    names: readonly [Name, ...Name[]],
    meanings: Readonly<Record<Name, string>>,
  ): Promise<Name>;
};

type Answers = {
  /** True: a person answers at a terminal, and can be asked again. False: the answers come from a pipe. */
  readonly isPerson: boolean;
  /** Shows a question, and returns the next line; undefined when a pipe has ended. */
  ask(question: string): Promise<string | undefined>;
  close(): void;
};

/** Reads answers from `input` and shows the questions on `output`. Close it, or the program does not end. */
export function openAnswers(input: Input, output: Output): Answers {
  const isPerson = input.isTTY === true;
  const reader = createInterface({ input, ...(isPerson && { output }), terminal: isPerson, historySize: 0 });
  const lines = reader[Symbol.asyncIterator]();
  let isClosed = false;
  let isAborted = false;
  reader.on('close', () => {
    isClosed = true;
  });
  reader.on('SIGINT', () => {
    isAborted = true;
    reader.close();
  });
  return {
    isPerson,
    async ask(question) {
      if (isPerson && !isClosed) {
        reader.setPrompt(question);
        reader.prompt();
      } else output.write(question);
      const { value: line, done } = await lines.next();
      // Ctrl-C, or Ctrl-D at a terminal.
      if (isAborted || (done && isPerson)) throw new InputError('Stopped: nothing was written.');
      // A terminal shows what is typed, but a pipe does not.
      if (!isPerson) output.write(`${line ?? ''}\n`);
      return line?.trim();
    },
    close: () => reader.close(),
  };
}

/**
 * Tells the user how to answer, and returns the functions that ask. They throw InputError when the person
 * aborts, or when an answer from a pipe cannot be used.
 */
export function asking(answers: Answers, say: (text: string) => void): Asking {
  say(
    'A few questions; Enter alone takes the answer in brackets. Everything can be changed in the file afterwards.\n\n',
  );
  /** Asks until the answer can be used. Of a pipe the next line answers the next question. */
  async function ask<T>(question: string, read: (answer: string) => { value: T } | { problem: string }) {
    for (;;) {
      const result = read((await answers.ask(question)) ?? '');
      if ('value' in result) return result.value;
      const { problem } = result;
      if (!answers.isPerson)
        throw new InputError(`Failed to write the file: ${question.replace(/ \[.*/s, '')}: ${problem}`);
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

/**
 * Asks the questions of `init`, and reads the answers, one line each, from a terminal or a pipe. A pipe may
 * send all lines at once: no line is lost.
 */
import { createInterface, type Interface } from 'node:readline';
import type { z } from 'zod';
import { harmless } from '../../harmless.ts';
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

type Read<T> = { value: T } | { problem: string };

/**
 * A dialogue that has begun. Close it, or the program does not end. Its questions throw InputError when a person
 * aborts, or when an answer from a pipe cannot be used.
 */
export class Dialogue implements Asking {
  readonly #output: Output;
  /** True: a person answers at a terminal, and can be asked again. False: the answers come from a pipe. */
  readonly #isPerson: boolean;
  readonly #reader: Interface;
  readonly #lines: AsyncIterator<string>;
  #isClosed = false;
  #isAborted = false;

  constructor(input: Input, output: Output) {
    this.#output = output;
    this.#isPerson = input.isTTY === true;
    const atTerminal = this.#isPerson && { output };
    this.#reader = createInterface({ input, ...atTerminal, terminal: this.#isPerson, historySize: 0 });
    this.#lines = this.#reader[Symbol.asyncIterator]();
    this.#reader.on('close', () => {
      this.#isClosed = true;
    });
    this.#reader.on('SIGINT', () => {
      this.#isAborted = true;
      this.#reader.close();
    });
    this.say(
      'A few questions; Enter alone takes the answer in brackets. Everything can be changed in the file afterwards.\n\n',
    );
  }

  readonly text: Asking['text'] = (question, usual, schema) =>
    this.#ask(`${question} [${usual}]: `, (answer) => {
      const { data, error } = schema.safeParse(answer === '' ? usual : answer);
      if (data !== undefined) return { value: data };
      return { problem: `"${answer}" ${error?.issues[0]?.message ?? 'cannot be used'}.` };
    });

  readonly choice: Asking['choice'] = (question, names, meanings) => {
    const lines = names.map((name, index) => `  ${index + 1}  ${name.padEnd(10)} ${meanings[name]}\n`);
    this.say(`${question}\n${lines.join('')}`);
    return this.#ask(`Number or name [${names[0]}]: `, (answer) => {
      const isMeant = (name: string, index: number) =>
        name === answer.toLowerCase() || String(index + 1) === answer;
      const value = answer === '' ? names[0] : names.find(isMeant);
      return value ? { value } : { problem: `"${answer}" is none of ${names.join(', ')}.` };
    });
  };

  say(text: string): void {
    this.#output.write(harmless(text));
  }

  close(): void {
    this.#reader.close();
  }

  /** Asks until the answer can be used. Of a pipe the next line answers the next question. */
  async #ask<T>(question: string, read: (answer: string) => Read<T>): Promise<T> {
    for (;;) {
      const result = read(await this.#answerTo(question));
      if ('value' in result) return result.value;
      const { problem } = result;
      if (!this.#isPerson)
        throw new InputError(`Failed to write the file: ${question.replace(/ \[.*/s, '')}: ${problem}`);
      this.say(`${problem}\n`);
    }
  }

  /** Shows a question and returns the next line, `''` when a pipe has ended. */
  async #answerTo(question: string): Promise<string> {
    if (this.#isPerson && !this.#isClosed) {
      this.#reader.setPrompt(question);
      this.#reader.prompt();
    } else this.#output.write(question);
    const { value: line = '', done } = await this.#lines.next();
    // Ctrl-C, or Ctrl-D at a terminal.
    if (this.#isAborted || (done && this.#isPerson)) throw new InputError('Stopped: nothing was written.');
    // A terminal shows what is typed, but a pipe does not.
    if (!this.#isPerson) this.#output.write(`${line}\n`);
    return line.trim();
  }
}

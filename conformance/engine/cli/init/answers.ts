/**
 * Reads the user's answers to the questions of `init`, one line each, from a terminal or a pipe. A pipe may
 * send all lines at once: no line is lost.
 */
import { createInterface } from 'node:readline';

export type Input = NodeJS.ReadableStream & { isTTY?: boolean };
export type Output = NodeJS.WritableStream;

export class InitError extends Error {
  override name = 'InitError';
}

export class InitStopped extends Error {
  override name = 'InitStopped';
}

export type Answers = {
  /** True: a person answers at a terminal, and can be asked again. False: the answers come from a pipe. */
  readonly isPerson: boolean;
  /**
   * Shows a question and returns the next line, trimmed; undefined when a pipe has ended.
   * @throws InitStopped when the person aborts
   */
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
      if (isAborted || (done && isPerson)) throw new InitStopped('Stopped: nothing was written.');
      // A terminal shows what is typed, but a pipe does not.
      if (!isPerson) output.write(`${line ?? ''}\n`);
      return line?.trim();
    },
    close: () => reader.close(),
  };
}

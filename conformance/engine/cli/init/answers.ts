/** Reads one line per question from a terminal or a pipe; none is lost when they come all at once. */
import { createInterface } from 'node:readline';

export type Input = NodeJS.ReadableStream & { isTTY?: boolean };
export type Output = NodeJS.WritableStream;

/** The file cannot be written as requested; the message says why and what to do. */
export class InitError extends Error {
  override name = 'InitError';
}

/** The user aborted; nothing was written. */
export class InitStopped extends Error {
  override name = 'InitStopped';
}

export type Answers = {
  /** Whether a person answers, who can be asked again. */
  readonly isPerson: boolean;
  /**
   * Shows a question and returns the next line, trimmed; undefined when a pipe has ended.
   * @throws InitStopped when the person aborts
   */
  ask(question: string): Promise<string | undefined>;
  close(): void;
};

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

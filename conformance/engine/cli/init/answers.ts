/** Reads one line per question from a terminal or a pipe; none is lost when they come all at once. */
import { createInterface } from 'node:readline';
import { InitStopped } from './init-error.ts';

export type Input = NodeJS.ReadableStream & { isTTY?: boolean };
export type Output = NodeJS.WritableStream;

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
  const lines: string[] = [];
  let waiting: { resolve: (line: string | undefined) => void; reject: (reason: Error) => void } | undefined;
  /** Takes the waiting question, so that it gets one line only, even when lines come at once. */
  const takeWaiting = () => {
    const taken = waiting;
    waiting = undefined;
    return taken;
  };
  let ended = false;
  const reader = createInterface({ input, ...(isPerson && { output }), terminal: isPerson, historySize: 0 });
  reader.on('line', (line) => {
    const taken = takeWaiting();
    if (taken) taken.resolve(line);
    else lines.push(line);
  });
  reader.on('close', () => {
    ended = true;
    takeWaiting()?.resolve(undefined);
  });
  reader.on('SIGINT', () => {
    takeWaiting()?.reject(stopped());
    reader.close();
  });

  function nextLine(): Promise<string | undefined> {
    if (lines.length > 0 || ended) return Promise.resolve(lines.shift());
    return new Promise((resolve, reject) => {
      waiting = { resolve, reject };
    });
  }

  return {
    isPerson,
    async ask(question) {
      if (isPerson && !ended) {
        reader.setPrompt(question);
        reader.prompt();
      } else output.write(question);
      const line = await nextLine();
      // Ctrl-D at a terminal.
      if (line === undefined && isPerson) throw stopped();
      // A terminal shows what is typed, but a pipe does not.
      if (!isPerson) output.write(`${line ?? ''}\n`);
      return line?.trim();
    },
    close: () => reader.close(),
  };
}

function stopped(): InitStopped {
  return new InitStopped('Stopped: nothing was written.');
}

/** Keeps the last lines of a program's output, for error messages, in limited memory. */
import { StringDecoder } from 'node:string_decoder';

/** Limit the lines that are kept, and each of them. */
const MAX_LINES = 50;
const MAX_LINE_CHARS = 500;
/** Limits the memory for a line that has not ended. */
const MAX_OPEN_LINE_CHARS = 16 * 1024;

export class OutputTail {
  readonly #lines: string[] = [];
  readonly #show: (line: string) => string;
  readonly #onLine: (line: string) => void;

  /**
   * @param show prepares a line for display; only then is the line cut, so that no half secret is left
   * @param onLine called with every line as the program wrote it
   */
  constructor(show: (line: string) => string, onLine: (line: string) => void) {
    this.#show = show;
    this.#onLine = onLine;
  }

  /** Returns a function that takes the chunks of one stream, and undefined at its end. */
  stream(): (chunk: Buffer | undefined) => void {
    const decoder = new StringDecoder('utf8');
    let open = '';
    return (chunk) => {
      const lines = (open + (chunk ? decoder.write(chunk) : decoder.end())).split(/\r?\n/);
      const last = lines.pop() ?? '';
      for (const line of lines) this.#add(line);
      open = last.slice(0, MAX_OPEN_LINE_CHARS);
      if (!chunk && open !== '') this.#add(open);
    };
  }

  lines(): string[] {
    return [...this.#lines];
  }

  #add(line: string): void {
    this.#onLine(line);
    this.#lines.push(this.#show(line).slice(0, MAX_LINE_CHARS));
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }
}

/** The last lines that a program wrote, whatever it writes and however much. */
import { StringDecoder } from 'node:string_decoder';

const MAX_LINES = 50;
const MAX_LINE = 500;
/** What is kept of a line that does not end. */
const MAX_OPEN = 16 * 1024;

export class OutputTail {
  readonly #lines: string[] = [];
  readonly #show: (line: string) => string;
  readonly #onLine: (line: string) => void;

  /**
   * @param show makes a line fit to be shown, before it is cut to its length
   * @param onLine is told every line as it was written
   */
  constructor(show: (line: string) => string, onLine: (line: string) => void) {
    this.#show = show;
    this.#onLine = onLine;
  }

  /** A function that takes the chunks of one stream, and undefined at its end. */
  stream(): (chunk: Buffer | undefined) => void {
    const decoder = new StringDecoder('utf8');
    let open = '';
    return (chunk) => {
      const lines = (open + (chunk ? decoder.write(chunk) : decoder.end())).split(/\r?\n/);
      const last = lines.pop() ?? '';
      for (const line of lines) this.#add(line);
      open = last.slice(0, MAX_OPEN);
      if (!chunk && open !== '') this.#add(open);
    };
  }

  /** At most fifty, oldest first. */
  lines(): string[] {
    return [...this.#lines];
  }

  #add(line: string): void {
    this.#onLine(line);
    this.#lines.push(this.#show(line).slice(0, MAX_LINE));
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }
}

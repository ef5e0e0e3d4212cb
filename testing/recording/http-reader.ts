/** Parses HTTP/1.1 messages from the bytes of one direction of a connection. */

export type HttpMessage = { start: string; headers: [string, string][]; body: string };

type Listener = { onHead: (message: HttpMessage) => void; onEnd: (message: HttpMessage) => void };

const START = /^(?:[A-Z]+ \S+ HTTP\/1\.[01]|HTTP\/1\.[01] \d{3}.*)$/;
/** Larger messages are not read. */
const MAX_UNREAD_BYTES = 32 * 2 ** 20;
const HEAD_END = '\r\n\r\n';

/** Ignores everything that is not HTTP, such as TLS. */
export class HttpReader {
  readonly #listener: Listener;
  #unread: Buffer = Buffer.alloc(0);
  #current: { message: HttpMessage; takeBody: () => Buffer | undefined } | undefined;
  #isLost = false;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  push(chunk: Buffer): void {
    if (this.#isLost) return;
    this.#unread = Buffer.concat([this.#unread, chunk]);
    while (!this.#isLost && (this.#current ? this.#endMessage() : this.#beginMessage()));
    if (this.#unread.length > MAX_UNREAD_BYTES) this.#isLost = true;
  }

  #beginMessage(): boolean {
    const end = this.#unread.indexOf(HEAD_END);
    if (end < 0) {
      // HTTP starts with a capital letter.
      this.#isLost =
        this.#unread.length > 0 && !/^[A-Z]/.test(String.fromCharCode(this.#unread[0] as number));
      return false;
    }
    const [start = '', ...lines] = this.#unread.subarray(0, end).toString('utf8').split('\r\n');
    this.#isLost = !START.test(start);
    if (this.#isLost) return false;
    this.#unread = this.#unread.subarray(end + HEAD_END.length);
    // Interim answers such as "100 Continue" precede the final answer.
    if (/^HTTP\/1\.[01] 1/.test(start)) return true;
    const headers = lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
    const message = { start, headers, body: '' };
    const headerOf = (name: string) => headers.find(([other]) => other.toLowerCase() === name)?.[1];
    const isChunked = headerOf('transfer-encoding')?.toLowerCase() === 'chunked';
    const length = Number(headerOf('content-length') ?? 0);
    this.#current = { message, takeBody: isChunked ? () => this.#takeChunks() : () => this.#take(length) };
    this.#listener.onHead(message);
    return true;
  }

  #endMessage(): boolean {
    const body = this.#current?.takeBody();
    if (!this.#current || body === undefined) return false;
    const { message } = this.#current;
    message.body = body.toString('utf8');
    this.#current = undefined;
    this.#listener.onEnd(message);
    return true;
  }

  #take(length: number): Buffer | undefined {
    if (this.#unread.length < length) return undefined;
    const taken = this.#unread.subarray(0, length);
    this.#unread = this.#unread.subarray(length);
    return taken;
  }

  /** Returns all chunks of a body once the last one has arrived. */
  #takeChunks(): Buffer | undefined {
    const chunks: Buffer[] = [];
    for (let at = 0; ; ) {
      const lineEnd = this.#unread.indexOf('\r\n', at);
      if (lineEnd < 0) return undefined;
      const size = Number.parseInt(this.#unread.toString('latin1', at, lineEnd), 16);
      const next = lineEnd + 2 + size + 2;
      if (this.#unread.length < next) return undefined;
      if (size === 0) {
        this.#unread = this.#unread.subarray(next);
        return Buffer.concat(chunks);
      }
      chunks.push(this.#unread.subarray(lineEnd + 2, lineEnd + 2 + size));
      at = next;
    }
  }
}

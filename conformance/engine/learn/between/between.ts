/**
 * Stands between a person's own client and a server, passes everything on, and keeps the exchanges in memory:
 * from them `learn` infers the file about the server.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '#protocol/time/clock.ts';
import { KeptBodies } from '#service/http/bodies/kept-bodies.ts';
import { explainUnreachable } from '../../party/explain-unreachable.ts';
import { bindServer } from '../../wire/bind.ts';
import { MAX_BODY_BYTES, readBody, TooLarge, textOf } from '../../wire/body.ts';
import { type Answer, send } from '../../wire/faults.ts';
import { Forwarder, headerPairs } from '../../wire/forwarder.ts';
import { REFUSED_STRAY } from '../../wire/request-handler.ts';
import { strangerOf } from '../../wire/stray.ts';
import { type RawExchange, type SeenExchange, seenExchanges } from '../exchange.ts';
import { type Origins, toClient, toServer } from './headers.ts';
import { lineOf } from './told.ts';

/** Limits the exchanges that are kept. A sign-in, a link and a logout have some hundred with all pictures. */
const MAX_EXCHANGES = 5_000;
/** Limits the characters of all bodies that are kept. */
const MAX_KEPT_CHARACTERS = 64 * 1024 * 1024;

/** A recording that runs. */
export type Between = {
  /** The origin that the client uses in place of that of the server. */
  readonly url: string;
  /** What has crossed so far, in order of time. */
  exchanges(): readonly SeenExchange[];
  stop(): Promise<void>;
};

export type BetweenOptions = {
  /** An address of the server, of which the origin counts. */
  server: string;
  /** The port of the recording on this machine; 0: a free one. */
  port: number;
  clock: Clock;
  /** Tells the person one line. */
  say: (line: string) => void;
};

/** Begins a recording. Only this machine can reach it. */
export async function startBetween({ server, port, clock, say }: BetweenOptions): Promise<Between> {
  const recording = new Recording(new URL(server).origin, clock, say);
  const listener = createServer((incoming, response) => void recording.handle(incoming, response));
  const { url, stop } = await bindServer(listener, '127.0.0.1', port);
  recording.here = url;
  return {
    url,
    exchanges: () => seenExchanges(recording.kept),
    async stop() {
      recording.stop();
      await stop();
    },
  };
}

class Recording {
  readonly kept: RawExchange[] = [];
  /** The origin of this recording. */
  here = '';
  readonly #forwarder: Forwarder;
  readonly #server: string;
  readonly #clock: Clock;
  readonly #say: (line: string) => void;
  readonly #room = new KeptBodies(MAX_BODY_BYTES);
  #characters = 0;
  #isFull = false;
  #isStopped = false;

  constructor(server: string, clock: Clock, say: (line: string) => void) {
    this.#server = server;
    this.#clock = clock;
    this.#say = say;
    this.#forwarder = new Forwarder(server);
  }

  /** Breaks off the requests that are under way. */
  stop(): void {
    this.#isStopped = true;
    this.#forwarder.close();
  }

  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const stranger = strangerOf(incoming, true);
    if (stranger !== undefined) {
      this.#say(`A request is refused: ${stranger}.`);
      response.shouldKeepAlive = false;
      answer(response, REFUSED_STRAY);
      return;
    }
    try {
      await this.#pass(incoming, response, await readBody(incoming, this.#room));
    } catch (error) {
      // A request that its sender broke off has nobody to be answered.
      if (!(error instanceof TooLarge)) return;
      this.#say('A request above 4 MiB is not passed on.');
      response.shouldKeepAlive = false;
      answer(response, textAnswer(413, 'The conformance kit passes on nothing above 4 MiB.'));
    }
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const startedAt = this.#clock.now();
    const { httpVersion, method = '', url: path = '/' } = incoming;
    const origins: Origins = { here: this.here, server: this.#server };
    const headers = toServer(headerPairs(incoming.rawHeaders), origins);
    const request = { method, url: `${this.#server}${path}`, headers, body: textOf(body, headers) };
    try {
      const passed = { httpVersion, method, path, headers, body: '' };
      const given = await this.#forwarder.forward(passed, { body, gate: undefined });
      this.#keep({ startedAt, request, answer: { ...given, body: keptBody(given) } });
      answer(response, { ...given, headers: toClient(given.headers, origins) });
    } catch (cause) {
      // A request that is under way when the person ends the recording, such as a poll.
      if (this.#isStopped) return;
      this.#keep({ startedAt, request, answer: { status: 0, headers: [], body: '' } });
      const { found } = await explainUnreachable(this.#server, { cause }, async () => undefined);
      this.#say(`No answer: ${found}.`);
      answer(response, textAnswer(502, `The conformance kit got no answer: ${found}.`));
    }
  }

  #keep(raw: RawExchange): void {
    const [seen] = seenExchanges([raw]);
    if (seen) this.#say(lineOf(seen));
    const size = (raw.request.body?.length ?? 0) + (raw.answer.body?.length ?? 0);
    if (this.kept.length >= MAX_EXCHANGES || this.#characters + size > MAX_KEPT_CHARACTERS) {
      if (!this.#isFull) this.#say('The recording is full: what comes now is passed on, and not kept.');
      this.#isFull = true;
      return;
    }
    this.#characters += size;
    this.kept.push(raw);
  }
}

/** The body as it is kept: null for pictures and the like, from which nothing is inferred. */
function keptBody({ headers, body }: Answer): string | null {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return NOT_KEPT.test(type) && body.length > 0 ? null : textOf(body, headers);
}

const NOT_KEPT = /^(image|font|audio|video)\/|css|javascript|wasm|octet-stream/i;

function answer(response: ServerResponse, { status, headers, body }: Answer): void {
  send(
    response,
    { status, headers, body },
    undefined,
    (_ms, then) => then(),
    () => undefined,
  );
}

const textAnswer = (status: number, text: string): Answer => ({
  status,
  headers: [['content-type', 'text/plain; charset=utf-8']],
  body: Buffer.from(text),
});

/** The SMS sink: the kit's stand-in for an SMS gateway, from which it learns the one-time codes. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '#protocol/time/clock.ts';
import { KeptBodies } from '#service/http/bodies/kept-bodies.ts';
import { readBody } from '#service/http/bodies/read-body.ts';
import type { RawExchange } from '../../../../engine/journal/entry.ts';
import { bindServer } from '../../../../engine/wire/bind.ts';
import { isLoopback, strangerOf } from '../../../../engine/wire/stray.ts';
import type { OtpSource } from '../adapter.ts';
import type { SinkSettings } from '../file/schema/otp-schema.ts';
import { findCode, noCodeIn, phoneOf } from './find-code.ts';
import { GatewayFailures } from './gateway-failures.ts';
import { Inbox } from './inbox.ts';
import { type SinkAnswer, sinkShapes } from './sink-shapes.ts';

/** The trouble that the sink reports to the doctor while no message has come. */
export const NO_MESSAGE = 'No message has come to the SMS sink.';

/** Limits the body of a message request; a larger one is refused. */
const MAX_BODY_BYTES = 64 * 1024;
/** Opens the SMS sink. `onStray` gets requests whose Host or Origin is foreign, without their body. */
export async function openSink(
  settings: SinkSettings,
  clock: Clock,
  onStray: (raw: RawExchange) => void = () => undefined,
): Promise<OtpSource> {
  const inbox = new Inbox(clock);
  const requests = new SinkRequests(settings, clock, inbox, onStray);
  const server = createServer((request, response) => requests.handle(request, response));
  const bound = await bindServer(server, settings.host, settings.port);
  return {
    smsUrl: bound.url,
    codeFor: (phone, since, waitMs) => inbox.codeFor(phoneOf(phone), since, waitMs),
    failFor: (phone, how) => requests.failures.arm(phoneOf(phone), how),
    countsMessages: true,
    messagesTo: async (phone) => inbox.countOf(phoneOf(phone)),
    trouble: () => requests.trouble ?? (inbox.count === 0 ? NO_MESSAGE : undefined),
    otherNumbers: () => requests.otherNumbers,
    async close() {
      inbox.close();
      await bound.stop();
    },
  };
}

class SinkRequests {
  /** The last problem with a request, in one sentence; undefined after a message with a code. */
  trouble: string | undefined;
  /** The other numbers of the last message that could be a code, with # for each digit. */
  otherNumbers: readonly string[] = [];
  readonly failures = new GatewayFailures();
  readonly #settings: SinkSettings;
  readonly #clock: Clock;
  readonly #inbox: Inbox;
  readonly #onStray: (raw: RawExchange) => void;
  /** Limits the bytes of unfinished bodies for each address, so that a stranger cannot fill the memory. */
  readonly #room = new KeptBodies(MAX_BODY_BYTES);

  constructor(settings: SinkSettings, clock: Clock, inbox: Inbox, onStray: (raw: RawExchange) => void) {
    this.#settings = settings;
    this.#clock = clock;
    this.#inbox = inbox;
    this.#onStray = onStray;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const path = (request.url ?? '/').replace(/\?.*$/s, '');
    const shape = sinkShapes[this.#settings.shape];
    const { method = '', httpVersion } = request;
    const stray = strangerOf(request, isLoopback(this.#settings.host));
    if (stray !== undefined) {
      const about = { httpVersion, method, path, headers: [], body: '' };
      this.#onStray({ link: 'auth->sms', request: about, stray });
      response.shouldKeepAlive = false;
      answer(response, 421, { error: { reason: 'foreign_host_or_origin' } });
      return;
    }
    const { take, release } = this.#room.open(request.socket.remoteAddress);
    request.on('close', release);
    void readBody(request, { limit: MAX_BODY_BYTES, admit: take, release }).then((body) => {
      if (body === 'too_large')
        this.#refuse(response, 413, 'its body is too large', { error: { reason: 'too_large' } });
      else if (!Buffer.isBuffer(body))
        this.#refuse(response, 429, 'too much of others was not finished', { error: { reason: 'too_many' } });
      else if (shape.isMessage(method, path)) this.#take(request, path, body, response);
      else
        this.#refuse(response, 404, `it was ${method} ${path.slice(0, 100)}`, {
          error: { reason: 'not_found', message: `Send ${shape.expects}.` },
        });
    });
  }

  #take(request: IncomingMessage, path: string, body: Buffer, response: ServerResponse): void {
    const { shape: name, pattern } = this.#settings;
    const shape = sinkShapes[name];
    const message = shape.read(body.toString('utf8'), (request.headers['content-type'] ?? '').toLowerCase());
    if ('why' in message) {
      this.#refuse(response, message.status, message.why, message.body);
      return;
    }
    if (this.#inbox.isFull) {
      this.#refuse(response, 429, 'it holds as many messages as it can', { error: { reason: 'too_many' } });
      return;
    }
    const { code, others } = findCode(message.text, pattern);
    const send = ({ status, body }: SinkAnswer) => answer(response, status, body);
    if (this.failures.takes(phoneOf(message.to), code, { response, answer: send })) return;
    this.#inbox.add(phoneOf(message.to), code);
    this.otherNumbers = others;
    const why = noCodeIn(others, { pattern, at: 'otp.sink.pattern' });
    this.trouble = code === undefined ? `A message came to the SMS sink, and ${why}.` : undefined;
    const { status, body: reply } = shape.taken(message, path, this.#inbox.count, this.#clock.now());
    answer(response, status, reply);
    // Only now, so that the code is not used before the server has been answered.
    this.#inbox.wake();
  }

  /** Refuses a request, and keeps the reason as the trouble that the doctor shows. */
  #refuse(response: ServerResponse, status: number, why: string, body: unknown): void {
    const { expects } = sinkShapes[this.#settings.shape];
    this.trouble = `A request came to the SMS sink that it could not take: ${why}. It expects ${expects}.`;
    answer(response, status, body);
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

/** The SMS sink: the kit's stand-in for an SMS gateway, from which it learns the one-time codes. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '#protocol/time/clock.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import { isNumber, tryJson } from '#protocol/wire/json.ts';
import { KeptBodies } from '#service/http/bodies/kept-bodies.ts';
import { readBody } from '#service/http/bodies/read-body.ts';
import type { RawExchange } from '../../../../engine/journal/entry.ts';
import { bindServer } from '../../../../engine/wire/bind.ts';
import { whyRefused } from '../../../../engine/wire/stray.ts';
import type { FailingGateway, GatewayFailure, OtpSource } from '../adapter.ts';
import type { SinkSettings } from '../file/schema/schema.ts';
import { findCode, misspelling, noCodeIn, phoneOf } from './find-code.ts';

/** Limits the messages of a run, so that a server that sends without end does not fill the memory. */
const MAX_MESSAGES = 100_000;

/** The messages that came: the codes in them by phone, and who waits for one. */
class Inbox {
  count = 0;
  readonly #clock: Clock;
  readonly #codes = new Map<string, (string | undefined)[]>();
  /** Key: a code. Value: the phone to which it came last. */
  readonly #lastTo = new Map<string | undefined, string>();
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isFull(): boolean {
    return this.count >= MAX_MESSAGES;
  }

  add(phone: string, code: string | undefined): void {
    this.#codes.set(phone, [...(this.#codes.get(phone) ?? []), code]);
    this.#lastTo.set(code, phone);
    this.count++;
  }

  /** The number of messages that came for this phone, those without a code included. */
  countOf(phone: string): number {
    return this.#codes.get(phone)?.length ?? 0;
  }

  /** That a message came to another spelling of this phone; undefined where none did. */
  misspelt(phone: string): string | undefined {
    return misspelling(phone, this.#codes.keys());
  }

  /** The newest code for this phone after the first `since` messages; waits up to `waitMs`. */
  async codeFor(phone: string, since: number, waitMs: number): Promise<string | undefined> {
    const now = this.#newest(phone, since);
    if (now !== undefined || waitMs <= 0 || this.#isClosed) return now;
    return new Promise((resolve) => {
      const settle = () => {
        cancel();
        this.#waiting.delete(look);
        resolve(this.#newest(phone, since));
      };
      const look = () => {
        if (this.#isClosed || this.#newest(phone, since) !== undefined) settle();
      };
      const cancel = this.#clock.after(waitMs, settle);
      this.#waiting.add(look);
    });
  }

  /** Lets every waiting caller look for its code. The sink calls this after it has answered the message. */
  wake(): void {
    for (const look of [...this.#waiting]) look();
  }

  close(): void {
    this.#isClosed = true;
    this.wake();
  }

  #newest(phone: string, since: number): string | undefined {
    const codes = (this.#codes.get(phone) ?? []).slice(since).filter((code) => code !== undefined);
    // A server that sends each message to earlier recipients too sends it to them first.
    return codes.findLast((code) => this.#lastTo.get(code) === phone) ?? codes.at(-1);
  }
}

/** The phones for which the gateway fails, as a flow has asked. */
class GatewayFailures {
  readonly #armed = new Map<string, (code: string | undefined, response: ServerResponse) => void>();

  arm(phone: string, how: GatewayFailure): FailingGateway {
    const codes: (string | undefined)[] = [];
    const waiting = new Set<ServerResponse>();
    this.#armed.set(phone, (code, response) => {
      codes.push(code);
      if (how === 'silence') waiting.add(response);
      else answer(response, how === 'refuses' ? 500 : 200, { error: { reason: 'not_sent' } });
    });
    const end = () => {
      this.#armed.delete(phone);
      for (const response of waiting) response.destroy();
    };
    return { codes, end };
  }

  /** Whether the gateway fails for this phone: then the message is not sent, and the failure answers it. */
  takes(phone: string, code: string | undefined, response: ServerResponse): boolean {
    const fails = this.#armed.get(phone);
    fails?.(code, response);
    return fails !== undefined;
  }
}

export const NO_MESSAGE = 'No message has come to the SMS sink.';

/** Limits the body of a message: far more than the longest SMS. */
const MAX_BODY_BYTES = 64 * 1024;

/** Opens the SMS sink. `onStray` gets requests whose Host or Origin is foreign, without their body. */
export async function openSink(
  settings: SinkSettings,
  clock: Clock,
  onStray: (raw: RawExchange) => void = () => undefined,
): Promise<OtpSource> {
  const inbox = new Inbox(clock);
  const requests = new SinkRequests({ settings, clock, inbox, onStray });
  const server = createServer((request, response) => requests.handle(request, response));
  const bound = await bindServer(server, settings.host, settings.port);
  let misspelt: string | undefined;
  return {
    smsUrl: bound.url,
    async codeFor(phone, since, waitMs) {
      const code = await inbox.codeFor(phoneOf(phone), since, waitMs);
      misspelt = code === undefined && waitMs > 0 ? inbox.misspelt(phoneOf(phone)) : undefined;
      return code;
    },
    failFor: (phone, how) => requests.failures.arm(phoneOf(phone), how),
    countsMessages: true,
    messagesTo: async (phone) => inbox.countOf(phoneOf(phone)),
    trouble: () => requests.trouble ?? misspelt ?? (inbox.count === 0 ? NO_MESSAGE : undefined),
    otherNumbers: () => requests.otherNumbers,
    async close() {
      inbox.close();
      await bound.stop();
    },
  };
}

type SinkParts = { settings: SinkSettings; clock: Clock; inbox: Inbox; onStray: (raw: RawExchange) => void };

/** Answers the requests to the sink, and puts the messages into the inbox. */
class SinkRequests {
  trouble: string | undefined;
  otherNumbers: readonly string[] = [];
  readonly failures = new GatewayFailures();
  readonly #parts: SinkParts;
  /** Limits the bytes of unfinished bodies for each address, so that a stranger cannot fill the memory. */
  readonly #room = new KeptBodies(MAX_BODY_BYTES);

  constructor(parts: SinkParts) {
    this.#parts = parts;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    const { settings, onStray } = this.#parts;
    const path = (request.url ?? '/').replace(/\?.*$/s, '');
    const shape = sinkShapes[settings.shape];
    const { method = '', httpVersion } = request;
    const stray = whyRefused(request, settings.host);
    if (stray !== undefined) {
      const about = { httpVersion, method, path, headers: [], body: '' };
      onStray({ link: 'auth->sms', request: about, stray });
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
    const { settings, inbox, clock } = this.#parts;
    const { pattern } = settings;
    const shape = sinkShapes[settings.shape];
    const message = shape.read(body.toString('utf8'), (request.headers['content-type'] ?? '').toLowerCase());
    if ('why' in message) {
      this.#refuse(response, message.status, message.why, message.body);
      return;
    }
    if (inbox.isFull) {
      this.#refuse(response, 429, 'it holds as many messages as it can', { error: { reason: 'too_many' } });
      return;
    }
    const { code, others } = findCode(message.text, pattern);
    if (this.failures.takes(phoneOf(message.to), code, response)) return;
    inbox.add(phoneOf(message.to), code);
    this.otherNumbers = others;
    const why = noCodeIn(others, { pattern, at: 'otp.sink.pattern' });
    this.trouble = code === undefined ? `A message came to the SMS sink, and ${why}.` : undefined;
    const { status, body: reply } = shape.taken(message, path, inbox.count, clock.now());
    answer(response, status, reply);
    // Only now, so that the code is not used before the server has been answered.
    inbox.wake();
  }

  #refuse(response: ServerResponse, status: number, why: string, body: unknown): void {
    const { expects } = sinkShapes[this.#parts.settings.shape];
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

type Delivered = { to: string; text: string; from?: string | null };
type SinkAnswer = { status: number; body: unknown };
type Refusal = SinkAnswer & { why: string };

type SinkShape = {
  readonly expects: string;
  isMessage(method: string, path: string): boolean;
  /** The message, or the answer to a body that is none. */
  read(body: string, contentType: string): Delivered | Refusal;
  /** The answer; `number` counts messages from 1, `now` is in milliseconds. */
  taken(message: Delivered, path: string, number: number, now: number): SinkAnswer;
};

/** The kit's own simple form, for servers whose SMS gateway can be any web hook. */
const json: SinkShape = {
  expects: 'POST /sms with the JSON body {"to": "<phone>", "text": "<message>"}',
  isMessage: (method, path) => method === 'POST' && path === '/sms',
  read(body) {
    const value = tryJson(body)?.value;
    if (isObject(value) && isText(value.to) && isText(value.text))
      return { to: String(value.to), text: String(value.text) };
    const why = 'the body is not JSON with "to" and "text"';
    return { why, status: 400, body: { error: { reason: 'invalid', message: `Send ${json.expects}.` } } };
  },
  taken: (_message, _path, number) => ({ status: 202, body: { id: String(number) } }),
};

const TWILIO_PATH = /^\/2010-04-01\/Accounts\/([^/]+)\/Messages\.json$/;

/** The form of the gateway Twilio, whose error numbers and members the answers have. */
const twilio: SinkShape = {
  expects:
    'POST /2010-04-01/Accounts/{AccountSid}/Messages.json with the form fields To, Body and From (or MessagingServiceSid)',
  isMessage: (method, path) => method === 'POST' && TWILIO_PATH.test(path),
  read(body, contentType) {
    if (!contentType.startsWith('application/x-www-form-urlencoded')) {
      const is = contentType === '' ? 'missing' : 'not application/x-www-form-urlencoded';
      return refusal(`the content type is ${is}`, 21604, "A 'To' phone number is required.");
    }
    const form = new URLSearchParams(body);
    const [to, text] = [form.get('To') ?? '', form.get('Body') ?? ''];
    if (to === '') return refusal('To is missing', 21604, "A 'To' phone number is required.");
    if (!form.get('From') && !form.get('MessagingServiceSid'))
      return refusal('From is missing', 21603, "A 'From' phone number is required.");
    if (text === '') return refusal('Body is missing', 21602, 'Message body is required.');
    return { to, text, from: form.get('From') };
  },
  taken({ to, text, from = null }, path, number, now) {
    const account = TWILIO_PATH.exec(path)?.[1] ?? '';
    const sid = `SM${String(number).padStart(32, '0')}`;
    const at = new Date(now).toUTCString().replace('GMT', '+0000');
    return {
      status: 201,
      body: {
        account_sid: account,
        api_version: '2010-04-01',
        body: text,
        date_created: at,
        date_sent: null,
        date_updated: at,
        direction: 'outbound-api',
        error_code: null,
        error_message: null,
        from,
        messaging_service_sid: null,
        num_media: '0',
        num_segments: '1',
        price: null,
        price_unit: 'USD',
        sid,
        status: 'queued',
        subresource_uris: { media: `/2010-04-01/Accounts/${account}/Messages/${sid}/Media.json` },
        to,
        uri: `/2010-04-01/Accounts/${account}/Messages/${sid}.json`,
      },
    };
  },
};

const sinkShapes = { json, twilio } as const;

/** Twilio's refusal with its error number. `why` is for the doctor. */
function refusal(why: string, code: number, message: string): Refusal {
  const body = { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status: 400 };
  return { why, status: 400, body };
}

/** Whether a member of the JSON body has content. A phone may be sent as a JSON number, too. */
function isText(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || isNumber(value);
}

/** Stands before both servers: records each message of the client, and does the troubles that are armed. */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '#protocol/time/clock.ts';
import { pause } from '../../adapter/steps/pause.ts';
import type { RawExchange } from '../../journal/observe.ts';
import type { Recorder } from '../../journal/recorder.ts';
import { type BoundServer, bindServer } from '../../servers/proxy/bind.ts';
import { Handed } from './handed.ts';
import { callIn, faultsOf, labelOf } from './messages.ts';
import { type Servers, VERSION } from './servers.ts';
import {
  brokenBy,
  type Callee,
  delayOf,
  isCarriedOut,
  isUnderstood,
  type Reply,
  SENT_ELSEWHERE,
  spoil,
  type Trouble,
} from './troubles.ts';

/** The scenario and the step to which messages belong now. */
export type Place = { scenario: string; step: number };

type Armed = { to: Callee; method: string; trouble: Trouble; times: number };

export type FrontParts = {
  servers: Servers;
  recorder: Recorder;
  clock: Clock;
  ports: { auth: number; ehr: number };
  /** Where it listens. */
  host: string;
  signal: AbortSignal;
};

export class Front {
  /** What the client was handed. */
  handed = new Handed();
  place: Place | undefined;
  /** Number of requests that were answered. */
  answered = 0;
  readonly #parts: FrontParts;
  #armed: Armed[] = [];
  readonly #held = new Set<ServerResponse>();
  #bound: Record<Callee | 'stranger', BoundServer> | undefined;

  private constructor(parts: FrontParts) {
    this.#parts = parts;
  }

  /** @throws Error that names a port which cannot be had */
  static async open(parts: FrontParts): Promise<Front> {
    const front = new Front(parts);
    const serve = (to: Callee, port: number) =>
      bindServer(
        createServer((request, response) => void front.#answer(to, request, response)),
        parts.host,
        port,
      );
    const auth = await serve('auth', parts.ports.auth);
    const ehr = await serve('ehr', parts.ports.ehr);
    const stranger = await bindServer(
      createServer((request, response) => front.#onStranger(request, response)),
      parts.host,
      0,
    );
    front.#bound = { auth, ehr, stranger };
    return front;
  }

  /** The base URLs as the client is given them. */
  get urls(): Readonly<Record<Callee | 'stranger', string>> {
    const { auth, ehr, stranger } = this.#bound ?? raise();
    return { auth: auth.url, ehr: ehr.url, stranger: stranger.url };
  }

  /** Lets the next calls of a method meet a trouble. */
  arm(to: Callee, method: string, trouble: Trouble, times = 1): void {
    this.#armed.push({ to, method, trouble, times });
  }

  /** Ends all troubles, and breaks the connections that they hold. */
  disarm(): void {
    this.#armed = [];
    for (const response of this.#held) response.destroy();
    this.#held.clear();
  }

  async close(): Promise<void> {
    this.disarm();
    await Promise.all(Object.values(this.#bound ?? {}).map((server) => server.stop()));
  }

  async #answer(to: Callee, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { recorder, clock, signal } = this.#parts;
    admitPage(request, response);
    if (isPreflight(request)) {
      response.writeHead(204).end();
      return;
    }
    const { place } = this;
    const raw = { link: `client->${to}` as const, request: requestOf(request, await bodyOf(request)) };
    const exchange = recorder.exchange(raw.link, raw, place?.step);
    const call = callIn(raw.request.body);
    this.#judge(to, raw, place);
    const trouble = this.#take(to, String(call?.method));
    const id = this.handed.open(to, call?.id);
    const right = trouble && !isCarriedOut(trouble) ? NO_ANSWER : await forward(this.#urlOf(to), raw);
    const elsewhere = `${this.urls.stranger}/`;
    const earlier = this.handed.earlierReplies.get(String(call?.method));
    const reply = trouble ? spoil(trouble, { id: call?.id, right, elsewhere, earlier }) : right;
    if (trouble && delayOf(trouble) > 0) await pause(clock, delayOf(trouble), signal).catch(() => undefined);
    if (right !== NO_ANSWER) this.handed.learn(right.body);
    if (reply && !reply.cut) this.handed.learn(reply.body);
    if (reply && (!trouble || isUnderstood(trouble))) this.handed.conclude(to, raw.request.body, reply.body);
    this.handed.close(to, id);
    const shown = reply && { status: reply.status, headers: Object.entries(reply.headers ?? {}), body: reply.body };
    const fault = trouble && { fault: trouble.kind, ...brokenBy(trouble) };
    this.answered += 1;
    exchange.end({ ...raw, ...(shown && { response: shown }) }, fault);
    if (!reply && trouble?.kind === 'hang') this.#held.add(response);
    else send(response, reply);
  }

  #judge(to: Callee, raw: RawExchange, place: Place | undefined): void {
    if (!place) return;
    for (const { rule, ...fault } of faultsOf(to, raw, this.handed.known(to), VERSION))
      this.#parts.recorder.observation({ scenario: place.scenario, label: labelOf(rule) }, { to, ...fault });
  }

  #take(to: Callee, method: string): Trouble | undefined {
    const armed = this.#armed.find((each) => each.to === to && each.method === method && each.times > 0);
    if (armed) armed.times -= 1;
    return armed?.trouble;
  }

  #urlOf(to: Callee): string {
    return to === 'ehr' ? this.#parts.servers.ehrUrl : this.#parts.servers.authUrl;
  }

  /** Whatever comes here followed a redirect, or was sent to an address that the kit never gave. */
  #onStranger(request: IncomingMessage, response: ServerResponse): void {
    admitPage(request, response);
    if (this.place && !isPreflight(request))
      this.#parts.recorder.observation(
        { scenario: this.place.scenario, label: SENT_ELSEWHERE },
        { to: request.method ?? '' },
      );
    response.writeHead(isPreflight(request) ? 204 : 404).end();
  }
}

/** Whether a browser asks beforehand if a page may make a call. A client in a browser knows nothing of it. */
const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** Lets a page read the answer. The servers have invented people alone, so that every page may. */
function admitPage({ headers }: IncomingMessage, response: ServerResponse): void {
  const { origin } = headers;
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? 'content-type');
  // On a connection that was used before, a browser repeats a call whose answer is lost, unseen by its page.
  response.setHeader('connection', 'close');
}

const NO_ANSWER: Reply = { status: 502, body: '' };

function raise(): never {
  throw new Error('The front is not open.');
}

function requestOf(request: IncomingMessage, body: string): RawExchange['request'] {
  const { rawHeaders } = request;
  const headers = rawHeaders.flatMap((name, at): [string, string][] =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [],
  );
  return { httpVersion: request.httpVersion, method: request.method ?? '', path: request.url ?? '', headers, body };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    // The client broke off: what came so far is what it sent.
  }
  return Buffer.concat(chunks).toString('utf8');
}

const NOT_PASSED_ON = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'expect', 'keep-alive']);

/** Hands a request to the server, and returns its answer. */
function forward(base: string, { request }: RawExchange): Promise<Reply> {
  const headers = Object.fromEntries(request.headers.filter(([name]) => !NOT_PASSED_ON.has(name.toLowerCase())));
  const body = Buffer.from(request.body, 'utf8');
  const hasBody = body.length > 0;
  return new Promise((resolve) => {
    const sent = httpRequest(
      new URL(request.path, base),
      { method: request.method, headers: { ...headers, ...(hasBody && { 'content-length': body.length }) } },
      async (answer) => {
        const type = answer.headers['content-type'];
        resolve({
          status: answer.statusCode ?? 502,
          body: await bodyOf(answer),
          ...(type && { headers: { 'content-type': type } }),
        });
      },
    );
    sent.on('error', () => resolve(NO_ANSWER));
    sent.end(hasBody ? body : undefined);
  });
}

function send(response: ServerResponse, reply: Reply | undefined): void {
  if (!reply) {
    response.destroy();
    return;
  }
  const body = Buffer.from(reply.body, 'utf8');
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...reply.headers };
  response.writeHead(reply.status, { ...headers, 'content-length': body.length });
  if (!reply.cut) response.end(body);
  else response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
}

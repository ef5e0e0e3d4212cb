/** Stands before both servers: records each message of the client, and does the troubles that are armed. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '#protocol/time/clock.ts';
import { KeptBodies } from '#service/http/kept-bodies.ts';
import { discardBody } from '#service/http/read-body.ts';
import type { RawExchange } from '../../../engine/journal/entry.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';
import { pause } from '../../../engine/party/requests/pause.ts';
import { type BoundServer, bindServer } from '../../../engine/wire/bind.ts';
import { MAX_BODY_BYTES } from '../../../engine/wire/body.ts';
import { admitPage, bodyOf, forward, headOf, isPreflight, NO_ANSWER, send } from './front-http.ts';
import { Handed } from './handed.ts';
import { labelOf } from './message-fault.ts';
import { callIn, faultsOf } from './messages.ts';
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
import { strangerIn, type Visitors } from './visitors.ts';

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
  visitors: Visitors;
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
  readonly #room = new KeptBodies(MAX_BODY_BYTES);
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
    const { recorder, clock, signal, visitors } = this.#parts;
    const raw: RawExchange = { link: `client->${to}`, request: headOf(request) };
    const stray = strangerIn(request, visitors);
    if (stray !== undefined) {
      // Nothing more is read of a stranger.
      response.shouldKeepAlive = false;
      this.#turnAway(response, STRANGER, { ...raw, stray });
      return;
    }
    admitPage(request, response);
    if (isPreflight(request)) {
      response.writeHead(204).end();
      return;
    }
    const body = await bodyOf(request, this.#room);
    if (body === undefined) {
      discardBody(request);
      this.#turnAway(response, LARGE, raw);
      return;
    }
    raw.request.body = body;
    const { place } = this;
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
    const shown = reply && {
      status: reply.status,
      headers: Object.entries(reply.headers ?? {}),
      body: reply.body,
    };
    const fault = trouble && { fault: trouble.kind, ...brokenBy(trouble) };
    this.answered += 1;
    exchange.end({ ...raw, ...(shown && { response: shown }) }, fault);
    if (!reply && trouble?.kind === 'hang') this.#held.add(response);
    else send(response, reply);
  }

  /** Answers in the place of a server, and lists the request without its body. */
  #turnAway(response: ServerResponse, reply: Reply, raw: RawExchange): void {
    this.#parts.recorder.exchange(raw.link, raw).end({ ...raw, response: { ...reply, headers: [] } });
    send(response, reply);
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
    const { visitors } = this.#parts;
    // A browser that follows a redirect to another origin says that it comes from nowhere.
    if (strangerIn(request, { ...visitors, origins: [...visitors.origins, 'null'] }) !== undefined) {
      response.shouldKeepAlive = false;
      send(response, STRANGER);
      return;
    }
    discardBody(request);
    admitPage(request, response);
    if (this.place && !isPreflight(request))
      this.#parts.recorder.observation(
        { scenario: this.place.scenario, label: SENT_ELSEWHERE },
        { to: request.method ?? '' },
      );
    response.writeHead(isPreflight(request) ? 204 : 404).end();
  }
}

const plainText = { 'content-type': 'text/plain; charset=utf-8' };
const STRANGER: Reply = {
  status: 403,
  headers: plainText,
  body: 'The conformance kit takes no request with this Host or Origin.',
};
const LARGE: Reply = {
  status: 413,
  headers: plainText,
  body: 'The conformance kit passes on nothing above 4 MiB.',
};

function raise(): never {
  throw new Error('The front is not open.');
}

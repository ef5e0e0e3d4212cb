/** Stands before both servers: records each message of the client, and does the troubles that are armed. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '#protocol/time/clock.ts';
import { discardBody } from '#service/http/read-body.ts';
import type { RawExchange } from '../../../engine/journal/entry.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';
import { type BoundServer, bindServer } from '../../../engine/wire/bind.ts';
import { type Came, REFUSED_STRAY, RequestHandler } from '../../../engine/wire/request-handler.ts';
import { Handed } from './handed.ts';
import { type Callee, labelOf } from './message-fault.ts';
import { callIn, faultsOf } from './messages.ts';
import { type Servers, VERSION } from './servers.ts';
import { faultFor, isUnderstood, SENT_ELSEWHERE, type Trouble } from './troubles.ts';
import { admitPage, isPreflight, strangerIn, type Visitors } from './visitors.ts';

/** The scenario and the step to which messages belong now. */
export type Place = { scenario: string; step: number };

export type FrontParts = {
  servers: Servers;
  recorder: Recorder;
  clock: Clock;
  ports: { auth: number; ehr: number };
  /** Where it listens. */
  host: string;
  visitors: Visitors;
};

export class Front {
  /** What the client was handed. */
  handed = new Handed();
  place: Place | undefined;
  /** Number of requests that were answered. */
  answered = 0;
  readonly #parts: FrontParts;
  readonly #handlers: Record<Callee, RequestHandler>;
  readonly #bound: Partial<Record<Callee | 'stranger', BoundServer>> = {};
  #disarms: (() => void)[] = [];

  private constructor(parts: FrontParts) {
    this.#parts = parts;
    this.#handlers = { auth: this.#handler('auth'), ehr: this.#handler('ehr') };
  }

  /** @throws Error that names a port which cannot be had */
  static async open(parts: FrontParts): Promise<Front> {
    const front = new Front(parts);
    const { ports, host } = parts;
    for (const to of ['auth', 'ehr'] as const) {
      const server = createServer((request, response) => front.#onRequest(to, request, response));
      front.#bound[to] = await bindServer(server, host, ports[to]);
    }
    const stranger = createServer((request, response) => front.#onStranger(request, response));
    front.#bound.stranger = await bindServer(stranger, host, 0);
    return front;
  }

  /** The base URLs as the client is given them. */
  get urls(): Readonly<Record<Callee, string>> {
    return { auth: this.#bound.auth?.url ?? '', ehr: this.#bound.ehr?.url ?? '' };
  }

  /** Lets the next calls of a method meet a trouble. */
  arm(to: Callee, method: string, trouble: Trouble, times = 1): void {
    const fault = faultFor(trouble, () => ({
      elsewhere: `${this.#bound.stranger?.url}/`,
      earlier: this.handed.earlierReplies.get(method),
    }));
    this.#disarms.push(this.#handlers[to].faults.arm({ method, fault, times }));
  }

  /** Ends all troubles, and breaks the connections that they hold. */
  disarm(): void {
    for (const disarm of this.#disarms.splice(0)) disarm();
  }

  async close(): Promise<void> {
    this.disarm();
    for (const handler of Object.values(this.#handlers)) handler.close();
    await Promise.all(Object.values(this.#bound).map((server) => server.stop()));
  }

  #handler(to: Callee): RequestHandler {
    const { servers, host, recorder, clock, visitors } = this.#parts;
    return new RequestHandler({
      ...{ link: `client->${to}`, host, recorder, clock },
      target: to === 'ehr' ? servers.ehrUrl : servers.authUrl,
      reset: (socket) => socket.resetAndDestroy(),
      watch: {
        stepNow: () => this.place?.step,
        strangerOf: (request) => strangerIn(request, visitors),
        onRequest: (raw) => this.#onCall(to, raw),
        onAnswer: (raw, came) => this.#onAnswer(to, raw, came),
      },
    });
  }

  #onRequest(to: Callee, request: IncomingMessage, response: ServerResponse): void {
    const isClient = strangerIn(request, this.#parts.visitors) === undefined;
    if (isClient) admitPage(request, response);
    if (isClient && isPreflight(request)) response.writeHead(204).end();
    else void this.#handlers[to].handle(request, response);
  }

  #onCall(to: Callee, raw: RawExchange): void {
    const { place, handed } = this;
    for (const { rule, ...fault } of place ? faultsOf(to, raw, handed.known(to), VERSION) : []) {
      const label = labelOf(rule);
      this.#parts.recorder.observation({ scenario: place?.scenario ?? '', label }, { to, ...fault });
    }
    handed.open(to, callIn(raw.request.body)?.id);
  }

  #onAnswer(to: Callee, { request }: RawExchange, { right, given, fault }: Came): void {
    if (right) this.handed.learn(String(right.body));
    if (given && fault?.name !== 'truncate') this.handed.learn(String(given.body));
    if (given && isUnderstood(fault)) this.handed.conclude(to, request.body, String(given.body));
    this.handed.close(to, callIn(request.body)?.id);
    this.answered += 1;
  }

  /** Whatever comes here followed a redirect, or was sent to an address that the kit never gave. */
  #onStranger(request: IncomingMessage, response: ServerResponse): void {
    const { visitors, recorder } = this.#parts;
    // A browser that follows a redirect to another origin says that it comes from nowhere.
    if (strangerIn(request, { ...visitors, origins: [...visitors.origins, 'null'] }) !== undefined) {
      response.shouldKeepAlive = false;
      response.writeHead(REFUSED_STRAY.status, REFUSED_STRAY.headers.flat()).end(REFUSED_STRAY.body);
      return;
    }
    discardBody(request);
    admitPage(request, response);
    const isAsking = isPreflight(request);
    if (this.place && !isAsking)
      recorder.observation(
        { scenario: this.place.scenario, label: SENT_ELSEWHERE },
        { to: request.method ?? '' },
      );
    response.writeHead(isAsking ? 204 : 404).end();
  }
}

/** Stands before both servers: records each message of the client, and does the troubles that are armed. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type Clock, movableClock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import { discardBody } from '#service/http/bodies/read-body.ts';
import type { RawExchange } from '../../../engine/journal/entry.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';
import { type BoundServer, bindServer } from '../../../engine/wire/bind.ts';
import { type Came, REFUSED_STRAY, RequestHandler } from '../../../engine/wire/request-handler.ts';
import type { ClientSettings } from '../settings.ts';
import { callIn } from './calls.ts';
import { Handed } from './handed.ts';
import { type Callee, labelOf } from './message-fault.ts';
import { faultsOf } from './messages.ts';
import { openServers, type Servers, VERSION } from './servers.ts';
import { faultFor, isUnderstood, SENT_ELSEWHERE, type Trouble } from './troubles.ts';
import { admitPage, isPreflight, strangerIn, type Visitors, visitorsOf } from './visitors.ts';

/** The scenario and the step to which messages belong now. */
export type Place = { scenario: string; step: number };

export type FrontParts = {
  settings: ClientSettings;
  recorder: Recorder;
  clock: Clock;
  random: Random;
  ports: { auth: number; ehr: number };
};

export class Front {
  /** What the client was handed. */
  handed = new Handed();
  place: Place | undefined;
  /** Number of requests that were answered. */
  answered = 0;
  readonly servers: Servers;
  readonly #recorder: Recorder;
  readonly #visitors: Visitors;
  readonly #handlers: Record<Callee, RequestHandler>;
  readonly #bound: Partial<Record<Callee | 'stranger', BoundServer>> = {};
  #disarms: (() => void)[] = [];

  private constructor(servers: Servers, { settings, recorder, clock }: FrontParts) {
    this.servers = servers;
    this.#recorder = recorder;
    this.#visitors = visitorsOf(settings);
    const host = hostOf(settings);
    const handlerOf = (to: Callee, target: string) =>
      new RequestHandler({
        ...{ link: `client->${to}`, target, host, recorder, clock },
        reset: (socket) => socket.resetAndDestroy(),
        watch: {
          stepNow: () => this.place?.step,
          strangerOf: (request) => strangerIn(request, this.#visitors),
          onRequest: (raw) => this.#onCall(to, raw),
          onAnswer: (raw, came) => this.#onAnswer(to, raw, came),
        },
      });
    this.#handlers = { auth: handlerOf('auth', servers.authUrl), ehr: handlerOf('ehr', servers.ehrUrl) };
  }

  /**
   * Opens both servers, and what stands before them.
   * @throws Error that names a port which cannot be had
   */
  static async open(parts: FrontParts): Promise<Front> {
    const { settings, clock, random, ports } = parts;
    const front = new Front(await openServers(movableClock(clock), random), parts);
    const bind = (port: number, listener: RequestListener) =>
      bindServer(createServer(listener), hostOf(settings), port);
    try {
      for (const to of ['auth', 'ehr'] as const)
        front.#bound[to] = await bind(ports[to], (...request) => front.#onRequest(to, ...request));
      front.#bound.stranger = await bind(0, (...request) => front.#onStranger(...request));
    } catch (error) {
      await front.close();
      throw error;
    }
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
    await this.servers.close();
  }

  #onRequest(to: Callee, request: IncomingMessage, response: ServerResponse): void {
    const isClient = strangerIn(request, this.#visitors) === undefined;
    if (isClient) admitPage(request, response);
    if (isClient && isPreflight(request)) response.writeHead(204).end();
    else void this.#handlers[to].handle(request, response);
  }

  #onCall(to: Callee, raw: RawExchange): void {
    const { place, handed } = this;
    for (const { rule, ...fault } of place ? faultsOf(to, raw, handed.known(to), VERSION) : []) {
      const label = labelOf(rule);
      this.#recorder.observation({ scenario: place?.scenario ?? '', label }, { to, ...fault });
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
    const visitors = this.#visitors;
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
      this.#recorder.observation(
        { scenario: this.place.scenario, label: SENT_ELSEWHERE },
        { to: request.method ?? '' },
      );
    response.writeHead(isAsking ? 204 : 404).end();
  }
}

const hostOf = ({ person }: ClientSettings): string => person?.host ?? '127.0.0.1';

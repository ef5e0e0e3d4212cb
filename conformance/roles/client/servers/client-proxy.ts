/** Forwards and records each message of the client, and disturbs calls as a scenario says. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type Clock, movableClock, pause } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import { textOfBytes } from '#protocol/wire/bytes.ts';
import { discardBody } from '#service/http/bodies/read-body.ts';
import type { RawExchange } from '../../../engine/journal/entry.ts';
import type { Recorder } from '../../../engine/journal/recorder.ts';
import { type BoundServer, bindServer, TIMELY } from '../../../engine/wire/bind.ts';
import { type PassedAnswer, REFUSED_STRAY, RequestHandler } from '../../../engine/wire/request-handler.ts';
import { hostOf, isLoopback } from '../../../engine/wire/stray.ts';
import type { ClientSettings } from '../settings.ts';
import { type Callee, labelOf } from './calls.ts';
import { faultsOf, isBesideCalls } from './messages.ts';
import { ScenarioMemory } from './scenario-memory.ts';
import { openServers, type Servers, VERSION } from './servers.ts';
import { faultFor, isUnderstood, SENT_ELSEWHERE, type Trouble } from './troubles.ts';

type Place = { scenario: string; step: number };

type ClientProxyParts = {
  settings: ClientSettings;
  recorder: Recorder;
  clock: Clock;
  random: Random;
  /** Where the client finds both servers; 0: a free port. */
  ports: { auth: number; ehr: number };
};

export class ClientProxy {
  memory = new ScenarioMemory();
  /** Undefined before the first step and while a client ends: what it sends then belongs to no step. */
  place: Place | undefined;
  /** How many requests of the client were answered, or broken off, since the start. */
  answered = 0;
  readonly servers: Servers;
  readonly #clock: Clock;
  readonly #recorder: Recorder;
  readonly #visitors: Visitors;
  readonly #handlers: Record<Callee, RequestHandler>;
  readonly #bound: Partial<Record<Callee | 'stranger', BoundServer>> = {};
  #disarms: (() => void)[] = [];

  private constructor(servers: Servers, { settings, recorder, clock }: ClientProxyParts) {
    this.servers = servers;
    this.#clock = clock;
    this.#recorder = recorder;
    this.#visitors = visitorsOf(settings);
    const handlerOf = (to: Callee, target: string) =>
      new RequestHandler({
        ...{ link: `client->${to}`, target, host: HOST, recorder, clock },
        reset: (socket) => socket.resetAndDestroy(),
        watch: {
          stepNow: () => this.place?.step,
          whyRefused: (request) => strangerIn(request, this.#visitors),
          onRequest: (raw) => this.#onCall(to, raw),
          onAnswer: (raw, came) => this.#onAnswer(to, raw, came),
        },
      });
    this.#handlers = { auth: handlerOf('auth', servers.authUrl), ehr: handlerOf('ehr', servers.ehrUrl) };
  }

  /** @throws Error that names a port which cannot be had */
  static async open(parts: ClientProxyParts): Promise<ClientProxy> {
    const { clock, random, ports } = parts;
    const proxy = new ClientProxy(await openServers(movableClock(clock), random), parts);
    const bind = (port: number, listener: RequestListener) =>
      bindServer(createServer(TIMELY, listener), HOST, port);
    try {
      for (const to of ['auth', 'ehr'] as const)
        proxy.#bound[to] = await bind(ports[to], (...request) => proxy.#onRequest(to, ...request));
      proxy.#bound.stranger = await bind(0, (...request) => proxy.#onStranger(...request));
    } catch (error) {
      await proxy.close();
      throw error;
    }
    return proxy;
  }

  get urls(): Readonly<Record<Callee, string>> {
    return { auth: this.#bound.auth?.url ?? '', ehr: this.#bound.ehr?.url ?? '' };
  }

  arm(to: Callee, method: string, trouble: Trouble, times = 1): void {
    const fault = faultFor(trouble, () => ({
      elsewhere: `${this.#bound.stranger?.url}/`,
      earlier: this.memory.earlierReplies.get(method),
    }));
    this.#disarms.push(this.#handlers[to].faults.arm({ method, fault, times }));
  }

  /** Ends all troubles. Calls that a trouble keeps waiting lose their connections. */
  disarm(): void {
    for (const disarm of this.#disarms.splice(0)) disarm();
  }

  async settled(signal: AbortSignal): Promise<void> {
    for (let seen = -1; seen !== this.answered; ) {
      seen = this.answered;
      await pause(this.#clock, SETTLE_MS, signal);
    }
  }

  disconnect(phone: string): Promise<void> {
    const { session, signsOf } = this.memory.known('ehr');
    return this.servers.disconnect({ phone, session, sign: signsOf(phone)?.current });
  }

  async close(): Promise<void> {
    this.disarm();
    for (const handler of Object.values(this.#handlers)) handler.close();
    await Promise.all(Object.values(this.#bound).map((server) => server.stop()));
    await this.servers.close();
  }

  #onRequest(to: Callee, request: IncomingMessage, response: ServerResponse): void {
    // A request of somebody else goes on to the handler, which refuses and records it.
    const isClient = strangerIn(request, this.#visitors) === undefined;
    if (isClient) admitPage(request, response);
    if (isClient && isPreflight(request)) response.writeHead(204).end();
    else void this.#handlers[to].handle(request, response);
  }

  /** Applies the rules of messages while the call is in clear: the journal keeps it masked. */
  #onCall(to: Callee, raw: RawExchange): void {
    const { place, memory } = this;
    if (isBesideCalls(to, raw.request, VERSION) && place)
      this.#recorder.note(beside(to, raw.request), place.scenario);
    for (const { rule, ...fault } of place ? faultsOf(to, raw, memory.known(to), VERSION) : []) {
      const label = labelOf(rule);
      this.#recorder.observation({ scenario: place?.scenario ?? '', label }, { to, ...fault });
    }
  }

  /** Tokens of an answer that was lost are learned too: they must not be shown either. */
  #onAnswer(to: Callee, { request }: RawExchange, { right, given, fault }: PassedAnswer): void {
    if (right) this.memory.learn(textOfBytes(right.body));
    if (given && fault?.name !== 'truncate') this.memory.learn(textOfBytes(given.body));
    if (given && isUnderstood(fault)) this.memory.conclude(to, request.body, textOfBytes(given.body));
    this.answered += 1;
  }

  #onStranger(request: IncomingMessage, response: ServerResponse): void {
    const visitors = this.#visitors;
    // A browser that follows a redirect to another origin sends `null` as its Origin.
    if (strangerIn(request, { ...visitors, origins: [...visitors.origins, 'null'] }) !== undefined) {
      response.shouldKeepAlive = false;
      response.writeHead(REFUSED_STRAY.status, REFUSED_STRAY.headers.flat()).end(REFUSED_STRAY.body);
      return;
    }
    discardBody(request);
    admitPage(request, response);
    const isAsking = isPreflight(request);
    // A preflight asks whether the call may be sent, and does not carry it.
    if (this.place && !isAsking)
      this.#recorder.observation(
        { scenario: this.place.scenario, label: SENT_ELSEWHERE },
        { to: request.method ?? '' },
      );
    response.writeHead(isAsking ? 204 : 404).end();
  }
}

/** The path may have values of a patient, and is not told. */
const beside = (to: Callee, { method }: RawExchange['request']): string =>
  `A request (${method}) to a path of the ${to === 'ehr' ? 'EHR' : 'authorization'} server that has no methods: its values are sought, and its form is not judged.`;

/** When no call was answered for so long (ms), the client is taken to have finished. */
const SETTLE_MS = 250;

const HOST = '127.0.0.1';

type Named = Pick<ClientSettings, 'hosts' | 'origins'> & { browser?: { address: string } | undefined };

type Visitors = {
  readonly hosts: readonly string[];
  readonly pages: readonly (string | undefined)[];
  /** Further origins as a browser sends them, such as `null`. */
  readonly origins: readonly string[];
};

/** A page on the machine of the kit has the kit's host. */
export function visitorsOf({ hosts, origins, browser }: Named): Visitors {
  const pages = browser ? [hostOf(withoutTemplates(browser.address))] : [];
  return { hosts: hosts.map(plain), pages, origins };
}

export function strangerIn(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  { hosts, pages, origins }: Visitors,
): string | undefined {
  const { host, origin } = headers;
  const name = host === undefined ? undefined : hostOf(`http://${host}`);
  // A request without a Host (HTTP/1.0) cannot come from a web page.
  if (
    host !== undefined &&
    !isLoopback(name) &&
    name !== plain(socket.localAddress) &&
    !hosts.includes(name ?? '')
  )
    return 'its Host is not the address of the kit, nor among `hosts` of the file';
  const page = origin === undefined ? undefined : hostOf(origin);
  if (origin !== undefined && !isLoopback(page) && !pages.includes(page) && !origins.includes(origin))
    return 'its Origin is not that of the client, nor among `origins` of the file';
  return undefined;
}

const isPreflight = ({ method, headers }: IncomingMessage): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

/** Adds the CORS headers that let a page read the answer. Safe for every page: the people are invented. */
function admitPage({ headers }: IncomingMessage, response: ServerResponse): void {
  const { origin } = headers;
  if (origin === undefined) return;
  const asked = headers['access-control-request-headers'] ?? 'content-type';
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-allow-credentials', 'true');
  response.setHeader('access-control-allow-headers', asked);
  // On a connection that was used before, a browser repeats a call whose answer is lost, unseen by its page.
  response.setHeader('connection', 'close');
}

/** Replaces templates such as `${port}` by 1: with a template in it, an address is no URL. */
function withoutTemplates(address: string): string {
  return address.replaceAll(/\$\{[^}]*\}/g, '1');
}

/** IPv4 without the prefix of IPv6, IPv6 in brackets. */
function plain(address = ''): string {
  const short = address.replace(/^::ffff:/, '');
  return short.includes(':') ? `[${short}]` : short.toLowerCase();
}

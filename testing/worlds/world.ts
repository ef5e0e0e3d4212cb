/** The whole ecosystem in one process over real HTTP, with recording proxies and one manual clock. */
import type { Link } from '#conformance/engine/journal/entry.ts';
import { readEhrConfig } from '#ehr-server/config.ts';
import { createEhr, type Ehr } from '#ehr-server/index.ts';
import { readAuthConfig } from '#mock-auth-server/config.ts';
import { type AuthServer, createAuthServer } from '#mock-auth-server/index.ts';
import { type ClientServer, createClientServer } from '#mock-client/server.ts';
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { type Clock, type MovableClock, manualClock, skewedClock } from '#protocol/time/clock.ts';
import { seededRandom } from '#protocol/time/random.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import type { Exchange } from '#protocol/wire/violations.ts';
import { createLog, type Log } from '#service/process/log.ts';
import { personaMis, testEnvironment } from '../fixtures.ts';
import { noteClockInFlow, noteCutInFlow, recordedAt } from '../recording/recorded-flow.ts';
import { type RecordingProxy, startRecordingProxy } from '../recording/recording-proxy.ts';
import { callerOf, type RpcCaller, wireGuard } from '../wire.ts';

export type WorldOptions = {
  /** Settings by environment variable, in addition to the test environment. */
  env?: Record<string, string>;
  /** Also starts the web client, and allows its origin at both servers. */
  withClient?: boolean;
  authSkewMs?: number;
  /** A clock of its own for the authorization server, to be moved apart. */
  authClock?: Clock;
  patients?: readonly Patient[];
  log?: Log;
  /** Both servers are reached by https, with the certificates that `env` names and this `fetch` trusts. */
  fetchOverTls?: typeof fetch;
  startWrongAuth?: typeof createAuthServer;
};

type Proxies = {
  readonly clientToEhr: RecordingProxy;
  readonly clientToAuth: RecordingProxy;
  readonly authToEhr: RecordingProxy;
};

export type World = {
  readonly clock: MovableClock;
  readonly ehr: Ehr;
  readonly auth: AuthServer;
  readonly client: ClientServer | undefined;
  readonly proxies: Proxies;
  readonly toEhr: RpcCaller<typeof ehrMethods>;
  readonly toAuth: RpcCaller<typeof authMethods>;
  /** The methods called at the EHR server so far, in order. */
  ehrMethodsSeen(): string[];
  authMethodsSeen(): string[];
  /** Calls to both servers in the order of their answers, such as `ehr patient.get_patient`. */
  callsSeen(): string[];
  /** How the messages of this world violated the contract. Empty when they did not. */
  violations(): string[];
  stop(): Promise<void>;
};

export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { authSkewMs = 0, log = createLog('world', 'silent'), fetchOverTls } = options;
  const clock = manualClock();
  // The proxies are started first: clients and servers know each other by the proxies' addresses.
  const proxies = await startProxies(fetchOverTls === undefined);
  const { clientToEhr, clientToAuth, authToEhr } = proxies;
  const client = options.withClient
    ? await createClientServer({ ehrUrl: clientToEhr.url, authUrl: clientToAuth.url })
    : undefined;
  const addressOf = ({ url }: RecordingProxy) => (fetchOverTls ? url.replace('http:', 'https:') : url);
  const environment = environmentOf(client?.url ?? '', addressOf(authToEhr), options.env);
  const { onEhrExchange, onAuthExchange, ...seen } = watchCalls();
  const mis = personaMis(options.patients);
  const ehr = await startEhr(environment, { clock, mis, log, onExchange: onEhrExchange });
  authToEhr.retarget(ehr.internalUrl);
  clientToEhr.retarget(ehr.url);
  const authClock = options.authClock ?? skewedClock(clock, authSkewMs);
  const parts = { clock: authClock, log, onExchange: onAuthExchange };
  const auth = await startAuth(environment, parts, options.startWrongAuth);
  clientToAuth.retarget(auth.url);
  const path = ehr.endpoint.slice(ehr.url.length);
  return {
    clock: notedInFlow(clock),
    ...{ ehr, auth, client, proxies },
    toEhr: callerOf<typeof ehrMethods>(addressOf(clientToEhr) + path, fetchOverTls),
    toAuth: callerOf<typeof authMethods>(addressOf(clientToAuth), fetchOverTls),
    ...seen,
    async stop() {
      await Promise.all(Object.values(proxies).map((proxy) => proxy.stop()));
      await client?.close();
      await auth.stop();
      await ehr.stop();
    },
  };
}

/** @param isHttp whether their messages can be read */
async function startProxies(isHttp: boolean): Promise<Proxies> {
  const start = async (link: Link): Promise<RecordingProxy> => {
    const proxy = await startRecordingProxy();
    return {
      ...proxy,
      url: isHttp ? await recordedAt(link, proxy.url) : proxy.url,
      cut(isCut) {
        noteCutInFlow(link, isCut);
        proxy.cut(isCut);
      },
    };
  };
  const [clientToEhr, clientToAuth, authToEhr] = await Promise.all([
    start('client->ehr'),
    start('client->auth'),
    start('auth->ehr'),
  ]);
  return { clientToEhr, clientToAuth, authToEhr };
}

type ServerEnvironment = Record<string, string>;

function environmentOf(origins: string, ehrUrl: string, own: ServerEnvironment = {}): ServerEnvironment {
  return {
    ...testEnvironment,
    EHR_INTERNAL_PORT: '0',
    EHR_ORIGINS: origins,
    AUTH_ORIGINS: origins,
    AUTH_EHR_URL: ehrUrl,
    ...own,
  };
}

/** Checks every exchange of both servers against the method tables, and keeps the order of the calls. */
function watchCalls() {
  const ehrGuard = wireGuard(ehrMethods);
  const authGuard = wireGuard(authMethods);
  const calls: string[] = [];
  return {
    onEhrExchange(exchange: Exchange) {
      calls.push(`ehr ${methodOf(exchange)}`);
      ehrGuard.observe(exchange);
    },
    onAuthExchange(exchange: Exchange) {
      calls.push(`auth ${methodOf(exchange)}`);
      authGuard.observe(exchange);
    },
    ehrMethodsSeen: () => ehrGuard.seen.map(methodOf),
    authMethodsSeen: () => authGuard.seen.map(methodOf),
    callsSeen: () => [...calls],
    violations: () => [...ehrGuard.violations, ...authGuard.violations],
  };
}

/** The same clock, whose moves stand in the record of the flow. */
function notedInFlow(clock: MovableClock): MovableClock {
  return {
    ...clock,
    advance(ms) {
      noteClockInFlow(ms);
      clock.advance(ms);
    },
  };
}

type EhrParts = Pick<Parameters<typeof createEhr>[0], 'clock' | 'mis' | 'log' | 'onExchange'>;
type AuthParts = Pick<Parameters<typeof createAuthServer>[0], 'clock' | 'log' | 'onExchange'>;

function startEhr(environment: ServerEnvironment, parts: EhrParts): Promise<Ehr> {
  const config = readEhrConfig([], environment);
  if (!config) throw new Error('No settings were read.');
  return createEhr({ ...parts, config, random: seededRandom(1) });
}

function startAuth(
  environment: ServerEnvironment,
  parts: AuthParts,
  start = createAuthServer,
): Promise<AuthServer> {
  const config = readAuthConfig([], environment);
  if (!config) throw new Error('No settings were read.');
  return start({ ...parts, config, random: seededRandom(2) });
}

function methodOf({ request }: { request: string }): string {
  try {
    return String((JSON.parse(request) as { method?: unknown }).method);
  } catch {
    // A test sent a broken message on purpose: it names no method.
    return '(unreadable)';
  }
}

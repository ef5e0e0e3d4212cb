/**
 * The whole ecosystem in one process: both servers on free ports over real HTTP, recording proxies between
 * the parties, one manual clock for all.
 */
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
import type { Exchange } from '#protocol/wire/wire-guard.ts';
import { createLog } from '#service/process/log.ts';
import { personaMis, testEnvironment } from './fixtures.ts';
import { noteClockInFlow, watchLink } from './recorded-flow.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';
import { type Caller, callerOf, wireGuard } from './wire.ts';

export type WorldOptions = {
  /** Settings by environment variable, in addition to the test environment. */
  env?: Record<string, string>;
  /** Also starts the web client, and allows its origin at both servers. */
  withClient?: boolean;
  /** Error of the authorization server's clock in milliseconds. */
  authSkewMs?: number;
  /** A clock of its own for the authorization server, to be moved apart. */
  authClock?: Clock;
  /** Patients in addition to those of the personas. */
  patients?: readonly Patient[];
};

export type World = {
  readonly clock: MovableClock;
  readonly ehr: Ehr;
  readonly auth: AuthServer;
  /** The web client's own server, when it was requested. */
  readonly client: ClientServer | undefined;
  /**
   * The recording proxies: from clients to each server, and from the authorization server to the EHR server.
   */
  readonly proxies: {
    readonly clientToEhr: RecordingProxy;
    readonly clientToAuth: RecordingProxy;
    readonly authToEhr: RecordingProxy;
  };
  readonly toEhr: Caller<typeof ehrMethods>;
  readonly toAuth: Caller<typeof authMethods>;
  /** The methods called at the EHR server so far, in order. */
  ehrMethodsSeen(): string[];
  authMethodsSeen(): string[];
  /** Calls to both servers in the order of their answers, such as `ehr patient.get_patient`. */
  callsSeen(): string[];
  /** How the messages of this world violated the contract. Empty when they did not. */
  violations(): string[];
  stop(): Promise<void>;
};

/** Starts the ecosystem. The caller stops it. */
export async function startWorld({
  env = {},
  withClient = false,
  authSkewMs = 0,
  authClock: ownAuthClock,
  patients = [],
}: WorldOptions = {}): Promise<World> {
  const clock = manualClock();
  // The proxies are started first: clients and servers know each other by the proxies' addresses.
  const [clientToEhr, clientToAuth, authToEhr] = await Promise.all([
    startRecordingProxy({ watch: watchLink('client->ehr') }),
    startRecordingProxy({ watch: watchLink('client->auth') }),
    startRecordingProxy({ watch: watchLink('auth->ehr') }),
  ]);
  const client = withClient
    ? await createClientServer({ ehrUrl: clientToEhr.url, authUrl: clientToAuth.url })
    : undefined;
  const origins = client ? client.url : '';
  const environment = {
    ...testEnvironment,
    EHR_INTERNAL_PORT: '0',
    EHR_ORIGINS: origins,
    AUTH_ORIGINS: origins,
    ...env,
  };
  const ehrGuard = wireGuard(ehrMethods);
  const authGuard = wireGuard(authMethods);
  const calls: string[] = [];
  const observer = (party: 'ehr' | 'auth', guard: ReturnType<typeof wireGuard>) => (exchange: Exchange) => {
    calls.push(`${party} ${methodOf(exchange)}`);
    guard.observe(exchange);
  };
  const mis = personaMis(patients);
  const ehr = await startEhr(environment, { clock, mis, onExchange: observer('ehr', ehrGuard) });
  authToEhr.retarget(ehr.internalUrl);
  clientToEhr.retarget(ehr.url);
  const authEnvironment = { ...environment, AUTH_EHR_URL: authToEhr.url };
  const authClock = ownAuthClock ?? skewedClock(clock, authSkewMs);
  const auth = await startAuth(authEnvironment, { clock: authClock, onExchange: observer('auth', authGuard) });
  clientToAuth.retarget(auth.url);
  const path = ehr.endpoint.slice(ehr.url.length);

  return {
    clock: {
      ...clock,
      advance(ms) {
        noteClockInFlow(ms);
        clock.advance(ms);
      },
    },
    ehr,
    auth,
    client,
    proxies: { clientToEhr, clientToAuth, authToEhr },
    toEhr: callerOf<typeof ehrMethods>(clientToEhr.url + path),
    toAuth: callerOf<typeof authMethods>(clientToAuth.url),
    ehrMethodsSeen: () => ehrGuard.seen.map(methodOf),
    authMethodsSeen: () => authGuard.seen.map(methodOf),
    callsSeen: () => [...calls],
    violations: () => [...ehrGuard.violations, ...authGuard.violations],
    async stop() {
      await Promise.all([clientToEhr.stop(), clientToAuth.stop(), authToEhr.stop()]);
      await client?.close();
      await auth.stop();
      await ehr.stop();
    },
  };
}

type Environment = Record<string, string>;
type EhrParts = Pick<Parameters<typeof createEhr>[0], 'clock' | 'mis' | 'onExchange'>;
type AuthParts = Pick<Parameters<typeof createAuthServer>[0], 'clock' | 'onExchange'>;

function startEhr(environment: Environment, parts: EhrParts): Promise<Ehr> {
  const config = readEhrConfig([], environment);
  if (!config) throw new Error('No settings were read.');
  return createEhr({ ...parts, config, random: seededRandom(1), log: createLog('world', 'silent') });
}

function startAuth(environment: Environment, parts: AuthParts): Promise<AuthServer> {
  const config = readAuthConfig([], environment);
  if (!config) throw new Error('No settings were read.');
  return createAuthServer({ ...parts, config, random: seededRandom(2), log: createLog('world', 'silent') });
}

function methodOf({ request }: { request: string }): string {
  try {
    return String((JSON.parse(request) as { method?: unknown }).method);
  } catch {
    // A test sent a broken message on purpose: it names no method.
    return '(unreadable)';
  }
}

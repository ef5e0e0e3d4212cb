/** The whole ecosystem in one process: both servers on free ports over real HTTP, wire taps between the parties, one manual clock for all. */
import { readEhrConfig } from '#ehr-server/config.ts';
import { createEhr, type Ehr } from '#ehr-server/index.ts';
import { readAuthConfig } from '#mock-auth-server/config.ts';
import { type AuthServer, createAuthServer } from '#mock-auth-server/index.ts';
import { type ClientServer, createClientServer } from '#mock-client/server.ts';
import { authMethods } from '#protocol/auth-methods.ts';
import { type MovableClock, manualClock, skewedClock } from '#protocol/clock.ts';
import { ehrMethods } from '#protocol/ehr-methods.ts';
import type { Patient } from '#protocol/fields.ts';
import { seededRandom } from '#protocol/random.ts';
import type { Exchange } from '#protocol/wire-guard.ts';
import { createLog } from '#service/log.ts';
import { personaMis, testEnvironment } from './fixtures.ts';
import { noteClockInFlow, watchLink } from './recorded-flow.ts';
import { type Recorder, startRecorder } from './recorder.ts';
import { type Caller, callerOf, wireGuard } from './wire.ts';

export type WorldOptions = {
  /** Settings by their environment variables, on top of the test environment. */
  env?: Record<string, string>;
  /** Starts the web client too, and lets its origin call both servers. */
  withClient?: boolean;
  /** How far the authorization server's clock is wrong, in milliseconds. */
  authSkew?: number;
  /** Patients beside those of the personas. */
  patients?: readonly Patient[];
};

export type World = {
  readonly clock: MovableClock;
  readonly ehr: Ehr;
  readonly auth: AuthServer;
  /** The web client's own server, when it was asked for. */
  readonly client: ClientServer | undefined;
  /** Taps: what clients send to each server, and what the authorization server sends to the EHR server. */
  readonly taps: { readonly clientToEhr: Recorder; readonly clientToAuth: Recorder; readonly authToEhr: Recorder };
  readonly toEhr: Caller<typeof ehrMethods>;
  readonly toAuth: Caller<typeof authMethods>;
  /** Names of the methods the EHR server was asked for so far, in order. */
  ehrMethodsSeen(): string[];
  authMethodsSeen(): string[];
  /** Calls to both servers in the order in which they were answered, such as `ehr patient.get_patient`. */
  callsSeen(): string[];
  /** How the messages of this world broke the contract; empty when they kept it. */
  breaches(): string[];
  stop(): Promise<void>;
};

/** Starts the ecosystem; whoever starts it stops it. */
export async function startWorld({
  env = {},
  withClient = false,
  authSkew = 0,
  patients = [],
}: WorldOptions = {}): Promise<World> {
  const clock = manualClock();
  // The taps come first: they lend the client and the servers addresses to know each other by.
  const [clientToEhr, clientToAuth, authToEhr] = await Promise.all([
    startRecorder({ watch: watchLink('client->ehr') }),
    startRecorder({ watch: watchLink('client->auth') }),
    startRecorder({ watch: watchLink('auth->ehr') }),
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
  const ehrConfig = readEhrConfig([], environment);
  if (!ehrConfig) throw new Error('No settings were read.');
  const ehrGuard = wireGuard(ehrMethods);
  const authGuard = wireGuard(authMethods);
  const calls: string[] = [];
  const observer = (party: 'ehr' | 'auth', guard: ReturnType<typeof wireGuard>) => (exchange: Exchange) => {
    calls.push(`${party} ${methodOf(exchange)}`);
    guard.observe(exchange);
  };
  const log = createLog('world', 'silent');

  const mis = personaMis(patients);
  const ehr = await createEhr({
    config: ehrConfig,
    clock,
    random: seededRandom(1),
    log,
    mis,
    onExchange: observer('ehr', ehrGuard),
  });
  authToEhr.retarget(ehr.internalUrl);
  clientToEhr.retarget(ehr.url);
  const authConfig = readAuthConfig([], { ...environment, AUTH_EHR_URL: authToEhr.url });
  if (!authConfig) throw new Error('No settings were read.');
  const authClock = skewedClock(clock, authSkew);
  const auth = await createAuthServer({
    config: authConfig,
    clock: authClock,
    random: seededRandom(2),
    log,
    onExchange: observer('auth', authGuard),
  });
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
    taps: { clientToEhr, clientToAuth, authToEhr },
    toEhr: callerOf<typeof ehrMethods>(clientToEhr.url + path),
    toAuth: callerOf<typeof authMethods>(clientToAuth.url),
    ehrMethodsSeen: () => ehrGuard.seen.map(methodOf),
    authMethodsSeen: () => authGuard.seen.map(methodOf),
    callsSeen: () => [...calls],
    breaches: () => [...ehrGuard.breaches, ...authGuard.breaches],
    async stop() {
      await Promise.all([clientToEhr.stop(), clientToAuth.stop(), authToEhr.stop()]);
      await client?.close();
      await auth.stop();
      await ehr.stop();
    },
  };
}

function methodOf({ request }: { request: string }): string {
  try {
    return String((JSON.parse(request) as { method?: unknown }).method);
  } catch {
    // A broken message on purpose: it names no method.
    return '(unreadable)';
  }
}

/** A session with the server under test: the ground, the server (started by the kit where its file says so), the adapter and the stage. */
import type { Clock } from '#protocol/clock.ts';
import { seededRandom } from '#protocol/random.ts';
import type { Adapter } from './adapter/adapter.ts';
import { createAdapter, stepTimeout } from './adapter/http-adapter.ts';
import type { Env, LoadedAdapter } from './adapter/load.ts';
import { type Ask, openOtpSource } from './adapter/otp/source.ts';
import { fillPorts } from './adapter/ports.ts';
import { startServer } from './adapter/server-process.ts';
import { isAbsent, isManual, isRpc } from './adapter/step-schema.ts';
import { stepNames } from './journal/entry.ts';
import type { RunMeta } from './journal/run-file.ts';
import { type Ground, openGround } from './stage/ground.ts';
import { seenOnWire } from './stage/seen.ts';
import { Stage } from './stage/stage.ts';

export type SessionParts = {
  loaded: LoadedAdapter;
  clock: Clock;
  seed: number;
  env: Env;
  /** Breaks the session off. */
  signal: AbortSignal;
  tell: (sentence: string) => void;
  ask: Ask;
  /** Starts the server in the kit's own process, in place of what the file says; returns the ports it took by name. */
  serve?: (ehrUrl: string) => Promise<{ ports: Record<string, number>; close: () => Promise<void> }>;
  /** Where the client-side taps listen; free ports unless given. */
  clientPorts?: { ehr: number; auth: number };
};

export type Session = {
  readonly ground: Ground;
  readonly adapter: Adapter;
  readonly stage: Stage;
  /** Base URL of the server under test itself. */
  readonly serverUrl: string;
  /** What stood in the way of learning a one-time code, last time that something did. */
  otpTrouble(): string | undefined;
  meta(about: Pick<RunMeta, 'tool' | 'mode'> & { finished: boolean }): RunMeta;
  close(): Promise<void>;
};

/**
 * Opens a session.
 * @throws Error saying what is wrong with the set-up: a port that cannot be had, a server that does not start
 */
export async function openSession(parts: SessionParts): Promise<Session> {
  const { clock, seed, env, signal, tell, ask, serve, clientPorts } = parts;
  const startedAt = new Date(clock.now()).toISOString();
  const closers: (() => Promise<unknown> | undefined)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    const { internal, ehr } = parts.loaded.settings;
    const ground = await openGround({
      internalUser: internal.user,
      internalPassword: internal.password,
      apiVersion: ehr.apiVersion,
      ehrHost: ehr.host,
      ehrPort: ehr.listen,
      ...(clientPorts && { clientToEhrPort: clientPorts.ehr, clientToAuthPort: clientPorts.auth }),
      clock,
    });
    closers.push(() => ground.close());
    const own = await serve?.(ground.ehrUrlForServer);
    if (own) closers.push(own.close);
    const given = own ? { ...parts.loaded.settings, ports: own.ports } : parts.loaded.settings;
    const loaded = { ...parts.loaded, settings: await fillPorts(given) };
    const { settings } = loaded;
    const otp = await openOtpSource(settings, { clock, ask });
    closers.push(() => otp.close());
    if (!own) {
      const server = await startServer(loaded, {
        ehrUrl: ground.ehrUrlForServer,
        smsUrl: otp.smsUrl,
        clock,
        env,
        signal,
      });
      if (server) closers.push(() => server.stop());
    }
    ground.taps.clientToAuth.retarget(settings.server.url);
    const baseUrl = ground.taps.clientToAuth.url + new URL(settings.server.url).pathname.replace(/\/+$/, '');
    const watchFor = seenOnWire(ground.recorder);
    const adapter = await createAdapter(loaded, {
      baseUrl,
      clock,
      seed,
      otp,
      tell,
      seen: (step, _input, signal) => watchFor(step, signal),
    });
    const stage = new Stage({
      adapter,
      recorder: ground.recorder,
      ehrEndpoint: ground.ehrEndpoint,
      authToEhr: ground.taps.authToEhr,
      clock,
      random: seededRandom(seed),
      // The adapter has its own limit; this one only keeps a faulty adapter from stopping the run.
      stepTimeout: Math.max(stepTimeout(settings), settings.timeouts.personMs) + 5_000,
      namesUser: namesUser(loaded),
      signal,
    });
    return {
      ground,
      adapter,
      stage,
      serverUrl: settings.server.url,
      otpTrouble: () => otp.trouble(),
      meta: ({ tool, mode, finished }) => ({
        tool,
        node: process.versions.node,
        startedAt,
        seed,
        mode,
        target: adapter.name,
        configuration: adapter.publicConfiguration,
        abilities: {
          absentSteps: stepNames.filter((step) => !adapter.has(step)),
          canAdvanceClock: adapter.has('advanceClock'),
          otpLifetimeSeconds: adapter.otpLifetimeSeconds,
        },
        finished,
      }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Whether the step that asks for an exchange token is sent the user; of a module with its own way that is assumed. */
function namesUser({ settings, wrap }: LoadedAdapter): boolean {
  const step = settings.steps.exchangeToken;
  if (wrap || step === undefined) return true;
  if (isAbsent(step) || isManual(step) || (isRpc(step) && step.cred === 'session')) return true;
  return JSON.stringify(step).includes('${user');
}

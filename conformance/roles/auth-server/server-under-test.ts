/** Opens the server under test of a run, and the source of its codes. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Env } from '../../engine/party/file/env.ts';
import { isListening } from '../../engine/party/process/listening.ts';
import { type ServerProcess, startServer } from '../../engine/party/process/server-process.ts';
import { type SupervisedParts, SupervisedServer } from '../../engine/party/process/supervised-server.ts';
import type { OtpSource } from './adapter/adapter.ts';
import { fillPorts } from './adapter/file/fill-ports.ts';
import type { LoadedAdapter } from './adapter/file/load.ts';
import { type Ask, openOtpSource } from './adapter/otp/source.ts';
import type { TestBed } from './people/test-bed.ts';

export type ServerParts = {
  loaded: LoadedAdapter;
  clock: Clock;
  env: Env;
  /** Aborts the run. */
  signal: AbortSignal;
  ask: Ask;
  /** Starts the server in the kit's own process instead of the command in the adapter file. */
  serve?: (ehrUrl: string, smsUrl: string | undefined) => Promise<ServedInProcess>;
};

export type ServedInProcess = {
  /** The ports that the server took, by name. */
  ports: Record<string, number>;
  /** Stops the server and starts it again with its state; undefined where that cannot be done. */
  restart?: () => Promise<void>;
  close: () => Promise<void>;
};

type Server = { loaded: LoadedAdapter; otp: OtpSource; server: SupervisedServer };

/**
 * Sets up the server under test and the source of its codes. The server runs in this process, is started as
 * its file says, or is running already.
 */
export async function serverOf(
  { loaded: given, clock, env, signal, ask, serve }: ServerParts,
  bed: TestBed,
  closers: (() => Promise<unknown> | undefined)[],
): Promise<Server> {
  const openOtp = async (settings: LoadedAdapter['settings']) => {
    const otp = await openOtpSource(settings, {
      clock,
      ask,
      onStray: (raw) => bed.recorder.exchange('auth->sms').end(raw),
    });
    closers.push(() => otp.close());
    return otp;
  };
  const supervised = (given: LoadedAdapter, how: Starting) =>
    supervise(given, how, bed.recorder, { clock, signal });
  if (serve) {
    // The server needs the address of a sink before it starts. Other sources are at one of the server's
    // ports.
    const sink = given.settings.otp?.sink ? await openOtp(given.settings) : undefined;
    const own = await serve(bed.ehrUrlForServer, sink?.smsUrl);
    closers.push(own.close);
    const settings = await fillPorts({ ...given.settings, ports: own.ports });
    const loaded = { ...given, settings };
    const server = supervised(loaded, { restart: own.restart });
    return { loaded, otp: sink ?? (await openOtp(settings)), server };
  }
  const loaded = { ...given, settings: await fillPorts(given.settings) };
  const otp = await openOtp(loaded.settings);
  const parts = { ehrUrl: bed.ehrUrlForServer, smsUrl: otp.smsUrl, clock, env, signal };
  const start = async () => (await startServer(loaded, parts)) as ServerProcess;
  const server = supervised(loaded, loaded.settings.server.start ? { start } : {});
  closers.push(() => server.stop());
  await server.open();
  return { loaded, otp, server };
}

type Starting = Pick<SupervisedParts, 'start' | 'restart'>;

/** Watches a server: a connection that breaks may be the end of it. */
function supervise(
  { settings }: LoadedAdapter,
  how: Starting,
  recorder: TestBed['recorder'],
  { clock, signal }: Pick<ServerParts, 'clock' | 'signal'>,
): SupervisedServer {
  const server = new SupervisedServer({
    ...how,
    clock,
    signal,
    isListening: () => isListening(settings.server.url, clock),
    onEvent: (event) => recorder.server(event),
  });
  recorder.onEntry((entry) => {
    if (entry.kind === 'exchange' && entry.link === 'client->auth' && entry.broke !== undefined)
      server.onConnectionBroken();
  });
  return server;
}

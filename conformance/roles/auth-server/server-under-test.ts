/**
 * Starts or finds the authorization server under test, watches whether it still runs, and opens the source
 * from which the kit learns its one-time codes.
 */
import type { Clock } from '#protocol/time/clock.ts';
import { isListening } from '#service/http/listener/ports.ts';
import { OutputWatch } from '../../engine/journal/output-watch.ts';
import type { Env } from '../../engine/party/file/fields.ts';
import { type ServerProcess, startServer } from '../../engine/party/process/server-process.ts';
import { type SupervisedParts, SupervisedServer } from '../../engine/party/process/supervised-server.ts';
import type { OtpSource } from './adapter/adapter.ts';
import { fillPorts, type LoadedAdapter } from './adapter/file/load.ts';
import { type Ask, openOtpSource } from './adapter/otp/source.ts';
import type { TestBed } from './people/test-bed.ts';

export type ServerParts = {
  loaded: LoadedAdapter;
  clock: Clock;
  /** The kit's environment variables, which a started server inherits. */
  env: Env;
  /** Aborts the run. */
  signal: AbortSignal;
  /** Asks the person at the terminal, who may type a code. */
  ask: Ask;
  /** Starts the server in the kit's own process, in place of the command in the adapter file. */
  serve?: (ehrUrl: string) => Promise<ServedInProcess>;
};

/** A server that runs in the kit's own process. */
export type ServedInProcess = {
  /** The ports that the server took, by name. */
  ports: Record<string, number>;
  /** Stops the server and starts it again with its state; undefined where that cannot be done. */
  restart?: () => Promise<void>;
  /** Passes on each line that the server writes; undefined where it has no output of its own. */
  output?: (take: (line: string) => void) => void;
  close: () => Promise<void>;
};

/** The settings with the ports filled in, the source of codes, and the watched server. */
type Server = { loaded: LoadedAdapter; otp: OtpSource; server: SupervisedServer };

/**
 * Sets up the server under test and the source of its codes. The server is started in this process or by the
 * command in its adapter file, or runs already. `closers` gets the functions that end what was opened.
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
      // A stray is a request of a web page or somebody else at the kit's SMS receiver; it is recorded alone.
      onStray: (raw) => bed.recorder.exchange(raw).end(),
    });
    closers.push(() => otp.close());
    return otp;
  };
  const supervised = (given: LoadedAdapter, how: Starting) =>
    supervise(given, how, bed.recorder, { clock, signal });
  if (serve) {
    const own = await serve(bed.ehrUrlForServer);
    closers.push(own.close);
    own.output?.(new OutputWatch(bed.recorder).take);
    const settings = await fillPorts({ ...given.settings, ports: own.ports });
    const loaded = { ...given, settings };
    const server = supervised(loaded, { restart: own.restart });
    return { loaded, otp: await openOtp(settings), server };
  }
  const loaded = { ...given, settings: await fillPorts(given.settings) };
  const otp = await openOtp(loaded.settings);
  const { start: command } = loaded.settings.server;
  const output = command && { onLine: new OutputWatch(bed.recorder).take };
  const parts = { ehrUrl: bed.ehrUrlForServer, smsUrl: otp.smsUrl, clock, env, signal, ...output };
  const start = async () => (await startServer(loaded, parts)) as ServerProcess;
  const server = supervised(loaded, command ? { start } : {});
  closers.push(() => server.stop());
  await server.open();
  return { loaded, otp, server };
}

/** How a watched server is started, and restarted in place; without both it only runs already. */
type Starting = Pick<SupervisedParts, 'start' | 'restart'>;

/** Watches a server: each time a client's connection breaks, looks whether the server still listens. */
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

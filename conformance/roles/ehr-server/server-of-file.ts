/** The EHR server of a file: its ports, its process, and the people whom the file names. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Recorder } from '../../engine/journal/recorder.ts';
import type { Env } from '../../engine/party/file/env.ts';
import { isListening } from '../../engine/party/process/listening.ts';
import { choosePorts, withPorts } from '../../engine/party/process/ports.ts';
import { type ServerProcess, startServer } from '../../engine/party/process/server-process.ts';
import { SupervisedServer } from '../../engine/party/process/supervised-server.ts';
import type { EhrSettings, KnownPerson, LoadedEhrFile } from './settings.ts';

export type ServedParts = {
  loaded: LoadedEhrFile;
  clock: Clock;
  env: Env;
  /** Aborts the run. */
  signal: AbortSignal;
  /** Restarts a server that the file does not start. */
  restart?: (() => Promise<void>) | undefined;
};

/** The settings with a port in the place of each that the file leaves open. */
export async function filledSettings(settings: EhrSettings): Promise<EhrSettings> {
  const ports = await choosePorts(settings.ports);
  const { server, internalUrl, control } = settings;
  return {
    ...settings,
    ports,
    server: withPorts(server, ports),
    internalUrl: withPorts(internalUrl, ports),
    control: withPorts(control, ports),
  };
}

/** The server as the file starts it, or as it runs already; a connection that breaks may be the end of it. */
export function supervised(
  { loaded, clock, env, signal, restart }: ServedParts,
  recorder: Recorder,
  folder: string,
): SupervisedServer {
  const { server: about } = loaded.settings;
  const parts = { ehrUrl: about.url, smsUrl: undefined, folder, clock, env, signal };
  const start = async () => (await startServer(loaded, parts)) as ServerProcess;
  const server = new SupervisedServer({
    start: about.start && start,
    restart,
    clock,
    signal,
    isListening: () => isListening(about.url, clock),
    onEvent: (event) => recorder.server(event),
  });
  recorder.onEntry((entry) => {
    if (entry.kind === 'exchange' && entry.broke !== undefined) server.onConnectionBroken();
  });
  return server;
}

/** Everybody whom the file names. */
export function everybodyIn({ people: { matching, ambiguous, inactive } }: EhrSettings): KnownPerson[] {
  return [...matching, ambiguous, inactive].filter((person) => person !== undefined);
}

/** Properties that no error may repeat: value to name. Short ones would be found by chance. */
export function patientData({ people: { matching } }: EhrSettings): ReadonlyMap<string, string> {
  const all = matching.flatMap(({ surname, phone }) => [
    [surname, 'surname'] as const,
    [phone, 'phone'] as const,
  ]);
  return new Map(all.filter(([value]) => value.length >= MIN_SOUGHT_CHARS));
}

const MIN_SOUGHT_CHARS = 5;

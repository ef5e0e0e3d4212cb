/** Starts the EHR server that a file describes, or finds it running, and opens the journal about it. */
import { rmSync } from 'node:fs';
import type { Clock } from '#protocol/time/clock.ts';
import { temporaryDirectory } from '#service/process/files/writing.ts';
import { OutputWatch } from '../../engine/journal/output/output-watch.ts';
import { Recorder } from '../../engine/journal/recorder.ts';
import { type MetaOf, metaOf } from '../../engine/journal/run-meta.ts';
import { Knowledge } from '../../engine/journal/secrets/knowledge.ts';
import type { Env } from '../../engine/party/file/env.ts';
import { isAbsent } from '../../engine/party/file/step-schema.ts';
import { isListening } from '../../engine/party/process/listening.ts';
import { choosePorts, withPorts } from '../../engine/party/process/ports.ts';
import { type ServerProcess, startServer } from '../../engine/party/process/server-process.ts';
import { SupervisedServer } from '../../engine/party/process/supervised-server.ts';
import type { EhrSettings, LoadedEhrFile } from './settings.ts';
import { Belongings } from './world/belongings.ts';

export type ServingOptions = {
  loaded: LoadedEhrFile;
  clock: Clock;
  seed: number;
  env: Env;
  signal: AbortSignal;
  /** Restarts a server that the file does not start. */
  restart?: (() => Promise<void>) | undefined;
  /** Passes on the output of a server that runs in the kit's own process. */
  output?: ((take: (line: string) => void) => void) | undefined;
};

export type EhrUnderTest = {
  readonly settings: EhrSettings;
  readonly server: SupervisedServer;
  readonly recorder: Recorder;
  readonly belongings: Belongings;
  metaWith(about: { canAdvanceClock: boolean }): MetaOf;
  close(): Promise<void>;
};

/** @throws ServerStartError when the server does not start */
export async function openEhrUnderTest(options: ServingOptions): Promise<EhrUnderTest> {
  const { clock, seed } = options;
  const settings = await filledSettings(options.loaded.settings);
  const startedAt = new Date(clock.now()).toISOString();
  const { internal, name: target } = settings;
  const recorder = new Recorder(
    clock,
    new Knowledge(internal.user, internal.password, patientData(settings)),
  );
  const folder = temporaryDirectory('ehr-conformance-');
  const server = supervised({ ...options, loaded: { ...options.loaded, settings } }, recorder, folder);
  const close = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  await server.open().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const configuration = configurationOf(settings);
  const metaWith: EhrUnderTest['metaWith'] = (about) =>
    metaOf({ startedAt, seed, role: 'ehr-server', target, configuration, ...about });
  const { matching, ambiguous, inactive } = settings.people;
  const everybody = [...matching, ambiguous, inactive].filter((person) => person !== undefined);
  const belongings = new Belongings(everybody, internal.password);
  return { settings, server, recorder, belongings, metaWith, close };
}

async function filledSettings(settings: EhrSettings): Promise<EhrSettings> {
  const ports = await choosePorts(settings.ports);
  const { server, internalUrl, control } = settings;
  return { ...settings, ports, ...withPorts({ server, internalUrl, control }, ports) };
}

/** Creates the supervisor of the server. A broken connection makes it look whether the server still runs. */
function supervised(
  { loaded, clock, env, signal, restart, output }: ServingOptions,
  recorder: Recorder,
  folder: string,
): SupervisedServer {
  const { url, start } = loaded.settings.server;
  const watch = start || output ? new OutputWatch(recorder) : undefined;
  if (watch) output?.(watch.take);
  const parts = {
    ehrUrl: url,
    smsUrl: undefined,
    folder,
    clock,
    env,
    signal,
    ...(watch && { onLine: watch.take }),
  };
  const server = new SupervisedServer({
    start: start && (async () => (await startServer(loaded, parts)) as ServerProcess),
    restart,
    clock,
    signal,
    isListening: () => isListening(url, clock),
    onEvent: (event) => recorder.server(event),
  });
  recorder.onEntry((entry) => {
    if (entry.kind === 'exchange' && entry.broke !== undefined) server.onConnectionBroken();
  });
  return server;
}

/** The key is the value, such as a phone, the value its name. */
function patientData({ people: { matching } }: EhrSettings): ReadonlyMap<string, string> {
  const all = matching.flatMap(({ surname, phone }) => [
    [surname, 'surname'] as const,
    [phone, 'phone'] as const,
  ]);
  return new Map(all.filter(([value]) => value.length >= MIN_SOUGHT_CHARS));
}

/** Shorter properties are not searched for: an error could contain one by chance. */
const MIN_SOUGHT_CHARS = 5;

function configurationOf(settings: EhrSettings): Record<string, unknown> {
  const { server, internal, internalUrl, ttlUnit, people, control, timeouts } = settings;
  const stated = (step: EhrSettings['control'][keyof EhrSettings['control']]) =>
    step === undefined ? 'not described' : isAbsent(step) ? `absent: ${step.absent}` : 'described';
  return {
    server: { url: server.url, startedByTheKit: server.start !== undefined },
    internal: { user: internal.user, url: internalUrl ?? 'the public endpoint' },
    ttlUnit,
    people: {
      matching: people.matching.length,
      ambiguous: people.ambiguous ? 'named' : 'none named',
      inactive: people.inactive ? 'named' : 'none named',
    },
    control: { advanceClock: stated(control.advanceClock), restart: stated(control.restart) },
    timeouts: { ...timeouts },
  };
}

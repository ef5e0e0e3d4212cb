/** A run against a client: opens both servers, plays the scenarios, and keeps the journal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, movableClock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import type { Env } from '../adapter/file/load.ts';
import type { ExchangeEntry } from '../journal/entry.ts';
import { Recorder } from '../journal/recorder.ts';
import { type MetaOf, metaOf } from '../journal/run-meta.ts';
import { Knowledge } from '../journal/secrets/knowledge.ts';
import { ScenarioStopped } from '../player/people/user.ts';
import type { ClientScenario } from './check.ts';
import { type Drivers, openDrivers } from './drivers.ts';
import { Front } from './front.ts';
import { Handed } from './handed.ts';
import { canaries, hashedTexts, people } from './people.ts';
import { configurationOf } from './public-configuration.ts';
import { INTERNAL, openServers, type Servers } from './servers.ts';
import type { LoadedClientFile } from './settings.ts';
import { World } from './world.ts';

export type ClientRunOptions = {
  loaded: LoadedClientFile;
  clock: Clock;
  seed: number;
  random: Random;
  env: Env;
  /** Aborts the run. */
  signal: AbortSignal;
};

export type ClientRun = {
  readonly recorder: Recorder;
  /** The addresses at which the kit listens for the client. */
  readonly urls: { auth: string; ehr: string };
  play(scenario: ClientScenario): Promise<void>;
  meta: MetaOf;
  close(): Promise<void>;
};

/**
 * Opens a run.
 * @throws Error that names a port which cannot be had, or a client or browser that does not start
 */
export async function openClientRun(options: ClientRunOptions): Promise<ClientRun> {
  const { clock, seed, random, signal, loaded, env } = options;
  const { settings } = loaded;
  const startedAt = new Date(clock.now()).toISOString();
  const knowledge = new Knowledge(INTERNAL.user, INTERNAL.password, canaries(), hashedTexts());
  for (const { signIn } of Object.values(people)) knowledge.pseudonyms.learn('phone', signIn);
  const recorder = new Recorder(clock, knowledge);
  const servers = await openServers(movableClock(clock), random);
  const front = await Front.open({
    servers,
    recorder,
    clock,
    ports: settings.ports,
    host: settings.person?.host ?? '127.0.0.1',
    signal,
  }).catch(async (error: unknown) => {
    await servers.close();
    throw error;
  });
  const { auth, ehr } = front.urls;
  const closeServers = async () => {
    await front.close();
    await servers.close();
  };
  const mask = (text: string) => knowledge.pseudonyms.mask(text);
  const { timeouts, ports } = settings;
  const onCall = (listener: (call: ExchangeEntry) => void) =>
    recorder.onEntry((entry) => {
      if (entry.kind === 'exchange') listener(entry);
    });
  const about = { authUrl: auth, ehrUrl: ehr, port: ports.page, timeouts, clock, env, signal, mask, onCall };
  const drivers = await openDrivers(settings, about).catch(async (error: unknown) => {
    await closeServers();
    throw error;
  });
  return {
    recorder,
    urls: { auth, ehr },
    play: (scenario) => play(scenario, { ...options, recorder, servers, front, drivers }),
    meta: metaOf({
      startedAt,
      seed,
      role: 'client',
      target: settings.name,
      configuration: configurationOf(settings),
      canAdvanceClock: true,
    }),
    async close() {
      await drivers.close();
      await closeServers();
    },
  };
}

type Playing = ClientRunOptions & { recorder: Recorder; servers: Servers; front: Front; drivers: Drivers };

/** Plays one scenario with fresh servers and a fresh client. The journal records how it ended. */
async function play(scenario: ClientScenario, parts: Playing): Promise<void> {
  const { recorder, servers, front, signal, clock, drivers } = parts;
  signal.throwIfAborted();
  const { needs } = scenario;
  if (needs !== undefined && !drivers.can.has(needs)) {
    recorder.beginScenario(scenario.id, true);
    recorder.endScenario(scenario.id, { notPlayable: `the client is not driven in a way that has ${needs}` });
    return;
  }
  servers.reset();
  front.handed = new Handed();
  const folder = mkdtempSync(join(tmpdir(), 'client-conformance-'));
  const storage = join(folder, 'storage');
  const start = () => drivers.start(storage);
  const forget = () => rmSync(storage, { recursive: true, force: true });
  const world = new World({ scenario: scenario.id, recorder, front, servers, clock, signal, start, forget });
  recorder.beginScenario(scenario.id, true);
  try {
    const how = await scenario.play(world).then(
      () => ({}),
      (error: unknown) => {
        if (error instanceof ScenarioStopped) return { stopped: { because: error.message, blame: error.blame } };
        throw error;
      },
    );
    await world.end();
    recorder.endScenario(scenario.id, how);
  } finally {
    await world.end();
    front.place = undefined;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A run against a client: opens both servers, plays the scenarios, and keeps the journal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, movableClock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import { temporaryDirectory } from '#service/process/writing.ts';
import { ScenarioStopped } from '../../engine/check/scenario-stopped.ts';
import { sideBySide } from '../../engine/check/side-by-side.ts';
import type { ExchangeEntry } from '../../engine/journal/entry.ts';
import { Recorder } from '../../engine/journal/recorder.ts';
import { type MetaOf, metaOf } from '../../engine/journal/run-meta.ts';
import { Knowledge } from '../../engine/journal/secrets/knowledge.ts';
import type { Env } from '../../engine/party/file/env.ts';
import type { ClientScenario } from './check.ts';
import type { Drivers } from './drivers/drivers.ts';
import { openDrivers } from './drivers/open.ts';
import { canaries, hashedTexts, people } from './people/people.ts';
import { configurationOf } from './public-configuration.ts';
import { Front } from './servers/front.ts';
import { Handed } from './servers/handed.ts';
import { INTERNAL, openServers, type Servers } from './servers/servers.ts';
import { visitorsOf } from './servers/visitors.ts';
import type { LoadedClientFile } from './settings.ts';
import { ClientWorld } from './world.ts';

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
  /** Plays all, several side by side where the kit starts the client and chooses the ports. */
  playAll(scenarios: readonly ClientScenario[]): Promise<void>;
  meta: MetaOf;
  close(): Promise<void>;
};

/** Both servers for one client at a time, and what starts that client. */
type Lane = { servers: Servers; front: Front; drivers: Drivers };

/**
 * Opens a run.
 * @throws Error that names a port which cannot be had, or a client or browser that does not start
 */
export async function openClientRun(options: ClientRunOptions): Promise<ClientRun> {
  const { clock, seed } = options;
  const { settings } = options.loaded;
  const startedAt = new Date(clock.now()).toISOString();
  const knowledge = new Knowledge(INTERNAL.user, INTERNAL.password, canaries(), hashedTexts());
  for (const { signIn } of Object.values(people)) knowledge.pseudonyms.learn('phone', signIn);
  const recorder = new Recorder(clock, knowledge);
  // Fails before anything is started.
  const folder = temporaryDirectory('client-conformance-');
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  const first = await openLane(options, recorder).catch((error: unknown) => {
    removeFolder();
    throw error;
  });
  const lanes = [first];
  const { auth, ehr } = first.front.urls;
  const playIn = (scenario: ClientScenario, lane: Lane) =>
    play(scenario, { ...options, recorder, folder, ...lane });
  return {
    recorder,
    urls: { auth, ehr },
    play: (scenario) => playIn(scenario, first),
    async playAll(scenarios) {
      const wanted = Math.min(lanesFor(settings), scenarios.length);
      while (lanes.length < wanted) lanes.push(await openLane(options, recorder));
      const [trouble] = await sideBySide(scenarios, lanes, playIn);
      if (trouble !== undefined) throw trouble;
    },
    meta: metaOf({
      startedAt,
      seed,
      role: 'client',
      target: settings.name,
      configuration: configurationOf(settings),
      canAdvanceClock: true,
    }),
    async close() {
      await Promise.all(lanes.map(closeLane));
      removeFolder();
    },
  };
}

/** Most of a scenario waits for a page to come to rest, so four share even a small machine. */
const MAX_LANES = 4;

/** One, unless each client that the kit starts can be told servers of its own. */
function lanesFor({ client, browser, ports }: LoadedClientFile['settings']): number {
  const areChosen = Object.values(ports).every((port) => port === 0);
  const hasPage = browser?.start !== undefined && names(browser.address, 'port');
  const hasStorage = client?.command.some((argument) => names(argument, 'storage')) ?? false;
  return areChosen && (hasPage || hasStorage) ? MAX_LANES : 1;
}

const names = (text: string, template: string) => text.includes(`\${${template}}`);

async function openLane(
  { clock, random, signal, loaded, env }: ClientRunOptions,
  recorder: Recorder,
): Promise<Lane> {
  const { settings } = loaded;
  const { timeouts, ports } = settings;
  const servers = await openServers(movableClock(clock), random);
  const host = settings.person?.host ?? '127.0.0.1';
  const visitors = visitorsOf(settings);
  const front = await Front.open({ servers, recorder, clock, ports, host, visitors }).catch(
    async (error: unknown) => {
      await servers.close();
      throw error;
    },
  );
  const { auth, ehr } = front.urls;
  const mask = (text: string) => recorder.knowledge.pseudonyms.mask(text);
  const onCall = (listener: (call: ExchangeEntry) => void) =>
    recorder.onEntry((entry) => {
      if (entry.kind === 'exchange' && entry.facts.stray === undefined) listener(entry);
    });
  const about = { authUrl: auth, ehrUrl: ehr, port: ports.page, timeouts, clock, env, signal, mask, onCall };
  const drivers = await openDrivers(settings, about).catch(async (error: unknown) => {
    await front.close();
    await servers.close();
    throw error;
  });
  return { servers, front, drivers };
}

async function closeLane({ servers, front, drivers }: Lane): Promise<void> {
  await drivers.close();
  await front.close();
  await servers.close();
}

type Playing = ClientRunOptions &
  Lane & {
    recorder: Recorder;
    /** The directory of the run, for what its clients store. */
    folder: string;
  };

/** Plays one scenario with fresh servers and a fresh client. The journal records how it ended. */
async function play(scenario: ClientScenario, parts: Playing): Promise<void> {
  const { recorder, servers, front, signal, clock, drivers } = parts;
  signal.throwIfAborted();
  const { needs } = scenario;
  if (needs !== undefined && !drivers.can.has(needs)) {
    recorder.beginScenario(scenario.id, false);
    recorder.endScenario(scenario.id, { notPlayable: `the client is not driven in a way that has ${needs}` });
    return;
  }
  servers.reset();
  front.handed = new Handed();
  const folder = mkdtempSync(join(parts.folder, 'scenario-'));
  const storage = join(folder, 'storage');
  const start = () => drivers.start(storage);
  const forget = () => rmSync(storage, { recursive: true, force: true });
  const world = new ClientWorld({
    scenario: scenario.id,
    recorder,
    front,
    servers,
    clock,
    signal,
    start,
    forget,
  });
  recorder.beginScenario(scenario.id, false);
  try {
    const how = await scenario.play(world).then(
      () => ({}),
      (error: unknown) => {
        if (error instanceof ScenarioStopped)
          return { stopped: { because: error.message, blame: error.blame } };
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

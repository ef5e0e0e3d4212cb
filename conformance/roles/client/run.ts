/** Opens a run against a client, with both servers that the kit plays. */
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import { temporaryDirectory } from '#service/process/files/writing.ts';
import { endingOf, sideBySide } from '../../engine/check/playing.ts';
import { Recorder } from '../../engine/journal/recorder.ts';
import { type MetaOf, metaOf } from '../../engine/journal/run-file.ts';
import { Knowledge } from '../../engine/journal/secrets/knowledge.ts';
import { configurationOf, type Env } from '../../engine/party/file/fields.ts';
import { startCommandDriver } from './drivers/command-driver.ts';
import { type Drivers, type DriversParts, PHONE_IN_FORM } from './drivers/driver.ts';
import type { ClientFlow } from './flow.ts';
import { canaries, hashedTexts, people } from './people/people.ts';
import { ClientProxy } from './servers/client-proxy.ts';
import { ScenarioMemory } from './servers/scenario-memory.ts';
import { INTERNAL } from './servers/servers.ts';
import { type ClientSettings, clientFileSchema, type LoadedClientFile } from './settings.ts';
import { ClientWorld } from './world.ts';

type ClientRunOptions = {
  loaded: LoadedClientFile;
  clock: Clock;
  seed: number;
  random: Random;
  env: Env;
  signal: AbortSignal;
};

export type ClientRun = {
  readonly recorder: Recorder;
  readonly urls: { auth: string; ehr: string };
  play(scenario: ClientFlow): Promise<void>;
  /** Several at the same time where the kit starts the client and chooses the ports. */
  playAll(scenarios: readonly ClientFlow[]): Promise<void>;
  meta: MetaOf;
  close(): Promise<void>;
};

/** A pair of servers, and the drivers that start a client for it. One scenario at a time uses a test bed. */
type TestBed = { proxy: ClientProxy; drivers: Drivers };

/** Creates a recorder that masks the phones of the people, and finds values of patients in messages. */
function recorderOf(clock: Clock): Recorder {
  const knowledge = new Knowledge(INTERNAL.user, INTERNAL.password, canaries(), hashedTexts());
  for (const { signIn } of Object.values(people)) knowledge.pseudonyms.learn('phone', signIn);
  return new Recorder(clock, knowledge);
}

/** @throws Error that names a port which cannot be had, or a client or browser that does not start */
export async function openClientRun(options: ClientRunOptions): Promise<ClientRun> {
  const { clock, seed } = options;
  const { settings } = options.loaded;
  const startedAt = new Date(clock.now()).toISOString();
  const recorder = recorderOf(clock);
  // Comes first: where no folder can be made, nothing has been started yet.
  const folder = temporaryDirectory('client-conformance-');
  const beds: TestBed[] = [];
  const close = async () => {
    await Promise.all(beds.map(closeBed));
    rmSync(folder, { recursive: true, force: true });
  };
  const first = await openBed(options, recorder).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  beds.push(first);
  const playIn = (scenario: ClientFlow, bed: TestBed) =>
    play(scenario, { ...options, recorder, folder, ...bed });
  return {
    recorder,
    urls: first.proxy.urls,
    play: (scenario) => playIn(scenario, first),
    async playAll(scenarios) {
      const wanted = Math.min(bedsFor(settings), scenarios.length);
      while (beds.length < wanted) beds.push(await openBed(options, recorder));
      const [trouble] = await sideBySide(scenarios, beds, playIn);
      if (trouble !== undefined) throw trouble;
    },
    meta: metaOf({
      ...{ startedAt, seed, role: 'client', target: settings.name, canAdvanceClock: true },
      configuration: configurationOf(clientFileSchema, settings),
    }),
    close,
  };
}

/** Test beds at most. A scenario mostly waits for a page to come to rest, so four run on a small machine. */
const MAX_BEDS = 4;

/** More than one only where the kit chooses all ports, and each client gets a storage of its own. */
function bedsFor({ client, browser, ports }: ClientSettings): number {
  const areChosen = Object.values(ports).every((port) => port === 0);
  const isStarted = browser?.start !== undefined && names(browser.address, 'port');
  const isTold = browser !== undefined && ['authUrl', 'ehrUrl'].every((name) => names(browser.address, name));
  const hasStorage = client?.command.some((argument) => names(argument, 'storage')) ?? false;
  return areChosen && (isStarted || isTold || hasStorage) ? MAX_BEDS : 1;
}

const names = (text: string, template: string) => text.includes(`\${${template}}`);

async function openBed({ loaded, ...parts }: ClientRunOptions, recorder: Recorder): Promise<TestBed> {
  const { settings } = loaded;
  const { timeouts, ports } = settings;
  const proxy = await ClientProxy.open({ ...parts, settings, recorder, ports });
  const { auth: authUrl, ehr: ehrUrl } = proxy.urls;
  const mask = (text: string) => recorder.knowledge.pseudonyms.mask(text);
  const about = { ...parts, authUrl, ehrUrl, port: ports.page, timeouts, mask };
  try {
    return { proxy, drivers: await openDrivers(settings, about) };
  } catch (error) {
    await proxy.close();
    throw error;
  }
}

async function closeBed({ proxy, drivers }: TestBed): Promise<void> {
  await drivers.close();
  await proxy.close();
}

type Playing = ClientRunOptions &
  TestBed & {
    recorder: Recorder;
    /** The folder of the run. Each scenario has a folder in it, where its clients store what they keep. */
    folder: string;
  };

async function play({ id, needs, play }: ClientFlow, parts: Playing): Promise<void> {
  const { recorder, proxy, signal, drivers } = parts;
  signal.throwIfAborted();
  recorder.beginScenario(id);
  if (needs !== undefined && !drivers.can.has(needs)) {
    recorder.endScenario(id, { notPlayable: `the client is not driven in a way that has ${needs}` });
    return;
  }
  proxy.servers.reset();
  proxy.memory = new ScenarioMemory();
  const folder = mkdtempSync(join(parts.folder, 'scenario-'));
  const storage = join(folder, 'storage');
  const world = new ClientWorld({
    ...parts,
    scenario: id,
    can: drivers.can,
    absent: parts.loaded.settings.absent,
    start: () => drivers.start(storage, (text) => recorder.note(text, id)),
    forget: () => rmSync(storage, { recursive: true, force: true }),
  });
  try {
    const ending = await endingOf(async () => {
      await play(world);
      world.made.requirePlayed();
    }).finally(() => world.end());
    recorder.endScenario(id, ending);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws AdapterFileError, ServerStartError when it cannot be opened */
export async function openDrivers(
  { client, browser }: ClientSettings,
  parts: DriversParts,
): Promise<Drivers> {
  if (browser) return (await import('./drivers/browser/open.ts')).openBrowser(browser, parts);
  if (!client) throw new Error('The file names no way to drive the client.');
  return {
    can: new Set([PHONE_IN_FORM]),
    start: (storage, note) => startCommandDriver({ ...parts, client, storage, note }),
    close: async () => undefined,
  };
}

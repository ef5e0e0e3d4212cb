/** One run of the kit against the EHR server of a file: starts it or finds it running, and plays scenarios. */
import { rmSync } from 'node:fs';
import { type Clock, pause } from '#protocol/time/clock.ts';
import type { Random } from '#protocol/time/random.ts';
import { isListening } from '#service/http/listener/ports.ts';
import { temporaryDirectory } from '#service/process/files/writing.ts';
import { endingOf, NotPlayable, ScenarioStopped } from '../../engine/check/playing.ts';
import { OutputWatch } from '../../engine/journal/output-watch.ts';
import { SERVER_GONE } from '../../engine/journal/played-steps.ts';
import { Recorder } from '../../engine/journal/recorder.ts';
import { type MetaOf, metaOf } from '../../engine/journal/run-file.ts';
import { Knowledge } from '../../engine/journal/secrets/knowledge.ts';
import { configurationOf, type Env } from '../../engine/party/file/fields.ts';
import { readPair } from '../../engine/party/file/read-settings.ts';
import type { StepSettings } from '../../engine/party/file/step-schema.ts';
import { RequestBudget } from '../../engine/party/pace.ts';
import {
  choosePorts,
  type ServerProcess,
  startServer,
  withPorts,
} from '../../engine/party/process/server-process.ts';
import { SupervisedServer } from '../../engine/party/process/supervised-server.ts';
import { buildRequest } from '../../engine/party/requests/build-request.ts';
import { send } from '../../engine/party/requests/send.ts';
import { Traces } from '../../engine/party/requests/traces.ts';
import type { EhrFlow } from './flow.ts';
import { type EhrSettings, ehrFileSchema, type LoadedEhrFile } from './settings.ts';
import { rightDialect, type WorldParts } from './world/calls.ts';
import { Pace } from './world/pace.ts';
import { Patients } from './world/patients.ts';
import { ReplySearch } from './world/reply-search.ts';
import { EhrWorld } from './world/world.ts';

type EhrRunOptions = {
  loaded: LoadedEhrFile;
  clock: Clock;
  seed: number;
  env: Env;
  signal: AbortSignal;
  /** Invents users and tokens: other ones in each run, because a server keeps those of earlier runs. */
  random: Random;
  /** Whether scenarios wait in real time where the server's clock cannot be moved (--slow). */
  slow: boolean;
  /** In place of what the file describes. */
  control?: ControlInProcess;
};

/** How a server in the kit's own process is controlled. */
export type ControlInProcess = {
  advance(ms: number): Promise<void>;
  restart(): Promise<void>;
  output(take: (line: string) => void): void;
};

export type EhrRun = {
  readonly recorder: Recorder;
  /** Those that wait in real time are played last, all at the same time. */
  playAll(scenarios: readonly EhrFlow[]): Promise<void>;
  meta: MetaOf;
  readonly parts: WorldParts;
  close(): Promise<void>;
};

/** @throws ServerStartError when the server does not start */
export async function openEhrRun(options: EhrRunOptions): Promise<EhrRun> {
  const { clock, seed, random, signal, slow } = options;
  const startedAt = new Date(clock.now()).toISOString();
  const { internalTls } = options.loaded.settings;
  const certificate = internalTls && readPair(internalTls, 'internalTls', clock.now());
  const { settings, server, recorder, close } = await openServer(options);
  const pace = new Pace(() => clock.now());
  const { isSlow, ...control } = controlOf(options, { settings, server }, pace);
  const parts: WorldParts = {
    settings,
    publicUrl: settings.server.url,
    internalUrl: settings.internalUrl ?? settings.server.url,
    certificate,
    recorder,
    patients: new Patients(settings.people.matching),
    replySearch: new ReplySearch(everybodyIn(settings), settings.internal.password),
    requests: new RequestBudget(settings.server.requestsPerSecond, clock, {
      sleep: (ms) => pause(clock, ms, signal),
    }),
    traces: new Traces({ seed, startedAt: clock.now() }),
    dialect: rightDialect(),
    pace,
    clock,
    random,
    signal,
    seed,
    canAdvance: !isSlow,
    patientName: naming(),
    ...control,
  };
  const playOne = (scenario: EhrFlow, alone: boolean) => play(scenario, { parts, server, alone });
  return {
    recorder,
    parts,
    async playAll(scenarios) {
      const waits = (scenario: EhrFlow) => slow && isSlow && scenario.waitsMinutes > 0;
      for (const scenario of scenarios) if (!waits(scenario)) await playOne(scenario, true);
      await Promise.all(scenarios.filter(waits).map((scenario) => playOne(scenario, false)));
    },
    meta: metaOf({
      startedAt,
      seed,
      role: 'ehr-server',
      target: settings.name,
      configuration: configurationOf(ehrFileSchema, settings),
      canAdvanceClock: !isSlow,
    }),
    close,
  };
}

type EhrUnderTest = { settings: EhrSettings; server: SupervisedServer };

async function openServer(options: EhrRunOptions) {
  const settings = await filledSettings(options.loaded.settings);
  const { user, password } = settings.internal;
  const knowledge = new Knowledge(user, password, patientData(settings));
  for (const value of maskedProperties(settings)) knowledge.pseudonyms.learn('patient-data', value);
  const recorder = new Recorder(options.clock, knowledge);
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
  return { settings, server, recorder, close };
}

const everybodyIn = ({ people: { matching, ambiguous, inactive } }: EhrSettings) =>
  [...matching, ambiguous ?? [], inactive ?? []].flat();

async function filledSettings(settings: EhrSettings): Promise<EhrSettings> {
  const ports = await choosePorts(settings.ports);
  const { server, internalUrl, control } = settings;
  return { ...settings, ports, ...withPorts({ server, internalUrl, control }, ports) };
}

/** Creates the supervisor of the server. A broken connection makes it look whether the server still runs. */
function supervised(
  { loaded, clock, env, signal, control }: EhrRunOptions,
  recorder: Recorder,
  folder: string,
): SupervisedServer {
  const { url, start } = loaded.settings.server;
  const watch = start || control ? new OutputWatch(recorder) : undefined;
  if (watch) control?.output(watch.take);
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
    restart: control?.restart,
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
function patientData(settings: EhrSettings): ReadonlyMap<string, string> {
  const all = everybodyIn(settings).flatMap(({ surname, phone }) => [
    [surname, 'surname'] as const,
    [phone, 'phone'] as const,
  ]);
  return new Map(all.filter(([value]) => value.length >= MIN_SOUGHT_CHARS));
}

/** Shorter properties are not searched for: an error could contain one by chance. */
const MIN_SOUGHT_CHARS = 5;

/** Properties that reports mask as whole words. None counts as a leak: a server may write one by chance. */
const maskedProperties = (settings: EhrSettings): string[] =>
  everybodyIn(settings)
    .flatMap(({ name, surname, date, medCardId = '' }) => [name, surname, date, medCardId])
    .filter((value) => value.length >= (/^[ -~]*$/.test(value) ? MIN_ASCII_CHARS : 1));

/** Shorter names in ASCII are words of the protocol, too. */
const MIN_ASCII_CHARS = 3;

/** What a scenario is played with. `alone`: no other scenario is played at the same time. */
type EhrPlaying = Pick<EhrUnderTest, 'server'> & { parts: WorldParts; alone: boolean };

/** Repeats a scenario with another patient where an earlier one had left its patient linked. */
async function play(scenario: EhrFlow, playing: EhrPlaying): Promise<void> {
  let isToRepeat = true;
  // This ends: each repetition takes a patient out of service, until none is left.
  while (isToRepeat) isToRepeat = await playOnce(scenario, playing);
}

/** Returns whether the scenario is to be played again. */
async function playOnce(scenario: EhrFlow, { parts, server, alone }: EhrPlaying): Promise<boolean> {
  const { recorder, signal } = parts;
  signal.throwIfAborted();
  recorder.beginScenario(scenario.id, { alone });
  if (!(await server.settled())) {
    recorder.endScenario(scenario.id, { stopped: { because: SERVER_GONE, blame: 'EHR server' } });
    return false;
  }
  const world = new EhrWorld(parts, scenario.id);
  const how = await endingOf(async () => {
    await scenario.play(world);
    world.made.requirePlayed();
  });
  const isDisturbed = world.holdLinked();
  await world.end();
  await server.settled();
  recorder.endScenario(scenario.id, how);
  return isDisturbed;
}

const NO_CLOCK =
  'the clock of the server cannot be moved; describe control.advanceClock, or wait in real time with --slow';
/** Programs that start another one elsewhere: where they are killed, that one goes on. */
const STARTERS = /\b(?:docker|podman|compose|kubectl|ssh|sudo|systemctl)\b/;
const KEEPS_NOTHING = 'the file says that the server keeps its state in memory';
const NO_RESTART = 'the server cannot be restarted by the kit; give server.start or control.restart';

/** Decides how time passes for the server and how it is restarted. `isSlow`: nothing can move its clock. */
function controlOf(
  { clock, signal, slow, control }: EhrRunOptions,
  { settings, server }: EhrUnderTest,
  pace: Pace,
): Pick<WorldParts, 'advance' | 'restart' | 'canWait'> & { isSlow: boolean } {
  const { advanceClock, restart } = settings.control;
  const request = async (step: StepSettings, variables: Record<string, string>) => {
    if (!('method' in step))
      throw new NotPlayable('absent' in step ? step.absent : 'a person would have to do it');
    const built = buildRequest(step, variables, settings.server.url);
    const answer = await send(built, { clock, timeoutMs: settings.timeouts.callMs, signal });
    if (answer.kind === 'answer' && answer.status < 300) return;
    const what = answer.kind === 'answer' ? `HTTP ${answer.status}` : answer.detail;
    const because = `the control ${built.method} ${built.url} was answered with ${what}`;
    throw new ScenarioStopped(because, 'environment');
  };
  const move = advanceClock && ((ms: number) => request(advanceClock, { milliseconds: String(ms) }));
  const moves = control?.advance ?? move;
  const advance =
    moves &&
    (async (ms: number) => {
      await moves(ms);
      pace.moved(ms);
    });
  const wait = async (ms: number) => {
    if (!slow) throw new NotPlayable(NO_CLOCK);
    await pause(clock, ms, signal);
  };
  return {
    isSlow: advance === undefined,
    canWait: advance !== undefined || slow,
    advance: advance ?? wait,
    async restart(how) {
      if (restart) await server.whileRestarting(() => request(restart, {}));
      else if (settings.server.start?.keeps === 'memory') throw new NotPlayable(KEEPS_NOTHING);
      else if (server.canRestart) {
        const isOwn = !STARTERS.test(settings.server.start?.command.join(' ') ?? '');
        await server.restart(isOwn ? how : 'asked');
      } else throw new NotPlayable(NO_RESTART);
    },
  };
}

function naming(): (id: string) => string {
  const names = new Map<string, string>();
  return (id) => {
    const name = names.get(id) ?? `patient ${names.size + 1}`;
    names.set(id, name);
    return name;
  };
}

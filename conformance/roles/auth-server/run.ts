/** Opens a run: the kit's EHR server and proxies, the server under test, and what drives it. */
import { type Random, seededRandom } from '#protocol/time/random.ts';
import { membersOf } from '#protocol/wire/envelope.ts';
import {
  type Entry,
  type ExchangeEntry,
  type StepName,
  stepNames,
  type Values,
} from '../../engine/journal/entry.ts';
import type { Recorder } from '../../engine/journal/recorder.ts';
import type { RunMeta } from '../../engine/journal/run-file.ts';
import { configurationOf } from '../../engine/party/file/fields.ts';
import { RequestBudget, watchPace } from '../../engine/party/pace.ts';
import type { SupervisedServer } from '../../engine/party/process/supervised-server.ts';
import type { Adapter, OtpSource } from './adapter/adapter.ts';
import type { LoadedAdapter } from './adapter/file/load.ts';
import { adapterSchema } from './adapter/file/schema/schema.ts';
import { createAdapter, whoCalls } from './adapter/steps/http-adapter.ts';
import { stepTimeout } from './adapter/steps/step-calls.ts';
import { SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN } from './internal-calls.ts';
import { CodeBudget } from './people/codes/code-budget.ts';
import type { DriverParts } from './people/driver.ts';
import { People } from './people/people.ts';
import { openTestBed, type TestBed, type TestBedParts } from './people/test-bed.ts';
import { ServerClock } from './people/time/server-clock.ts';
import { type ServerParts, serverOf } from './server-under-test.ts';

export type RunParts = ServerParts &
  TestBedParts & {
    /** Starts the random numbers of the run; the same seed draws the same values. */
    seed: number;
    /** Draws the phones: other ones in each run, because a server remembers those of earlier runs. */
    random?: Random;
    tell: (sentence: string) => void;
  };

export type OpenRun = {
  readonly bed: TestBed;
  readonly adapter: Adapter;
  readonly driver: DriverParts;
  /** Ports at which the kit listens; a search for the server under test leaves these out. */
  readonly ownPorts: readonly number[];
  otpTrouble(): string | undefined;
  otherNumbers(): readonly string[];
  meta(about: Pick<RunMeta, 'tool'> & { finished: boolean }): RunMeta;
  close(): Promise<void>;
};

export async function openRun(parts: RunParts): Promise<OpenRun> {
  const closers: (() => Promise<unknown> | undefined)[] = [];
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each();
  };
  try {
    return await open(parts, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  parts: RunParts,
  closers: (() => Promise<unknown> | undefined)[],
  close: () => Promise<void>,
): Promise<OpenRun> {
  const { clock, seed, random = seededRandom(seed), tell } = parts;
  const startedAt = new Date(clock.now()).toISOString();
  const bed = await openTestBed(parts);
  closers.push(() => bed.close());
  const { loaded, otp, server } = await serverOf(parts, bed, closers);
  const { settings } = loaded;
  bed.proxies.clientToAuth.retarget(settings.server.url);
  const baseUrl = bed.proxies.clientToAuth.url + new URL(settings.server.url).pathname.replace(/\/+$/, '');
  const effectOf = waitForEffect(bed.recorder);
  const adapter = await createAdapter(loaded, {
    baseUrl,
    clock,
    seed,
    random,
    otp,
    tell,
    waitForEffect: (step, _input, signal) => effectOf(step, signal),
  });
  const driver = driverParts(parts, bed, { loaded, adapter, server });
  const endJournal = () => bed.recorder.stop();
  parts.signal.addEventListener('abort', endJournal, { once: true });
  // Closers run from the last to the first.
  closers.push(async () => {
    endJournal();
    // A signal that outlives the run would keep its journal: the self-test plays hundreds of runs.
    parts.signal.removeEventListener('abort', endJournal);
  });
  return {
    bed,
    adapter,
    driver,
    ownPorts: portsOf(bed, otp),
    otpTrouble: () => otp.trouble(),
    otherNumbers: () => otp.otherNumbers?.() ?? [],
    meta: ({ tool, finished }) => ({
      tool,
      node: process.versions.node,
      startedAt,
      seed,
      mode: 'scenarios',
      target: settings.name,
      configuration: configurationOf(adapterSchema, settings),
      abilities: abilitiesOf(adapter),
      longestSilenceMs: bed.silences.longest(),
      finished,
    }),
    close,
  };
}

function abilitiesOf(adapter: Adapter): RunMeta['abilities'] {
  return {
    absentSteps: stepNames.filter((step) => !adapter.has(step)),
    canAdvanceClock: adapter.has('advanceClock'),
    otpLifetimeSeconds: adapter.settings.otp?.lifetimeSeconds,
  };
}

function portsOf(
  { ehrEndpoint, ehrUrlForServer, proxies, ehrPort }: TestBed,
  { smsUrl }: OtpSource,
): number[] {
  const urls = [ehrEndpoint, ehrUrlForServer, proxies.clientToAuth.url, ...(smsUrl ? [smsUrl] : [])];
  return [...urls.map((url) => Number(new URL(url).port)), ehrPort];
}

function driverParts(
  { clock, seed, signal, serve }: RunParts,
  bed: TestBed,
  { loaded, adapter, server }: { loaded: LoadedAdapter; adapter: Adapter; server: SupervisedServer },
): DriverParts {
  const { settings } = loaded;
  const time = new ServerClock({
    clock,
    signal,
    advance: adapter.has('advanceClock')
      ? async (ms) =>
          (await adapter.perform('advanceClock', { milliseconds: String(ms) }, signal)).kind === 'done'
      : undefined,
  });
  return {
    ...bed,
    adapter,
    people: new People({ phone: adapter.phone, count: adapter.phoneCount }),
    time,
    codes: new CodeBudget(settings.otp?.perMinute, time),
    pace: watchPace(bed.recorder),
    found: {},
    requests: new RequestBudget(settings.server.requestsPerSecond, clock, time),
    clock,
    random: seededRandom(seed),
    // The adapter has its own timeout. This longer one only keeps a faulty adapter from stopping the run.
    stepTimeoutMs: Math.max(stepTimeout(settings), settings.timeouts.personMs) + 5_000,
    whoCalls: (step) => whoCalls(loaded, step),
    keepsOverRestart: settings.server.start?.keeps !== 'memory' || serve !== undefined,
    server,
    signal,
  };
}

/** The effect of a sign-in is an accepted call, of a report a save, of others any answer; from now on. */
export function waitForEffect(recorder: Recorder) {
  return (step: StepName, signal: AbortSignal): Promise<Values> =>
    new Promise((resolve) => {
      const forget = recorder.onEntry((entry) => {
        const values = effectOf(step, entry);
        if (!values) return;
        forget();
        resolve(values);
      });
      // The promise stays open after an abort: the caller watches the signal too.
      signal.addEventListener('abort', forget, { once: true });
    });
}

/** The values that an entry shows when it is the effect of the step; undefined when it is not. */
function effectOf(step: StepName, entry: Entry): Values | undefined {
  if (entry.kind !== 'exchange') return undefined;
  switch (step) {
    case 'confirmOtp':
      return acceptedAuthInfo(entry);
    case 'exchangeToken':
      return entry.facts.call?.method === SAVE_EXCHANGE_TOKEN ? acceptedAuthInfo(entry) : undefined;
    case 'reportLink':
      return entry.facts.call?.method === SAVE_AUTH_INFO ? acceptedAuthInfo(entry) : undefined;
    default:
      return entry.link === 'client->auth' && entry.response !== undefined ? {} : undefined;
  }
}

function acceptedAuthInfo({ link, facts, request }: ExchangeEntry): Values | undefined {
  if (link !== 'auth->ehr' || !facts.reply?.result || !facts.call?.authInfo) return undefined;
  const { params } = JSON.parse(request.body) as { params: Record<string, unknown> };
  const { user, token } = membersOf(params.authInfo);
  const sent = Object.entries({ user, token, exchangeToken: params.exchangeToken });
  return Object.fromEntries(sent.filter((each): each is [string, string] => typeof each[1] === 'string'));
}

/** Plays the scenarios of a run: some alone, the others at the same time. */
import { ScenarioStopped, sideBySide } from '../../../engine/check/playing.ts';
import type { ScenarioEntry } from '../../../engine/journal/entry.ts';
import { SERVER_GONE } from '../../../engine/journal/played-steps.ts';
import type { Adapter } from '../adapter/adapter.ts';
import type { Flow, Times, When } from '../flows/flow.ts';
import { Driver, type DriverParts } from './driver.ts';
import { codeLifetimeOf, resendPauseOf } from './time/scenario-time.ts';

/** Unless the server merely waits while it answers, or all wait for a clock that can be moved. */
const MAX_SCENARIOS_AT_ONCE = 16;

/** The scenarios of a run by when they are played; `beside`: see {@link besideOthers}. */
type Groups = Readonly<Record<When | 'beside', readonly Flow[]>>;

/** Those that wait for the end of a code begin first. Throws only when the run or the kit fails. */
export async function playAll(parts: DriverParts, scenarios: readonly Flow[]): Promise<void> {
  const groups = groupsOf(parts.adapter, scenarios);
  await atOnce([
    () => atOnce(groups.beside.map((scenario) => () => play(parts, scenario, false))),
    () => playInOrder(parts, groups),
  ]);
  await oneByOne(parts, groups.last);
}

/** Plays `alone`; `busy`, where the server is slow; and then all that remain, together. */
async function playInOrder(parts: DriverParts, { alone, busy, together }: Groups): Promise<void> {
  await oneByOne(parts, alone);
  // The scenarios so far have shown whether the server merely waits, or answers at once.
  const pace = parts.pace();
  const isWide = pace === 'waits' || (pace === 'quick' && !parts.time.canAdvance);
  if (!isWide) await oneByOne(parts, busy);
  const remaining = longestFirst([...(isWide ? busy : []), ...together]);
  // A person who does the steps by hand does one thing at a time.
  if (parts.adapter.isManual) return oneByOne(parts, remaining);
  const works = remaining.map((scenario) => () => play(parts, scenario, false));
  await atOnce(works, isWide ? works.length : MAX_SCENARIOS_AT_ONCE);
}

async function oneByOne(parts: DriverParts, scenarios: readonly Flow[]): Promise<void> {
  for (const scenario of scenarios) await play(parts, scenario, true);
}

/** Does `width` works at a time. Throws the first error when all are over. */
async function atOnce(works: readonly (() => Promise<void>)[], width = works.length): Promise<void> {
  const workers = Array.from({ length: width }, (_, index) => index);
  const [trouble] = await sideBySide(works, workers, (work) => work());
  if (trouble !== undefined) throw trouble;
}

function groupsOf(adapter: Adapter, scenarios: readonly Flow[]): Groups {
  const beside = besideOthers(adapter, scenarios);
  const of = (when: When) => scenarios.filter((each) => each.when === when && !beside.includes(each));
  return { beside, alone: of('alone'), busy: of('busy'), together: of('together'), last: of('last') };
}

/** They merely wait for the end of a code, and disturb nobody meanwhile. */
function besideOthers(adapter: Adapter, scenarios: readonly Flow[]): readonly Flow[] {
  if (adapter.has('advanceClock') || adapter.isManual) return [];
  const times = timesOf(adapter);
  return scenarios.filter(
    ({ when, waits }) => when === 'together' && waits(times) > waits({ ...times, codeLifetime: 0 }),
  );
}

/** Long ones first: with unanswered calls, with several pauses, with none, with one. */
function longestFirst(scenarios: readonly Flow[]): readonly Flow[] {
  const rank = ({ waits, meetsSilence }: Flow) => {
    // With a pause of one second this is the number of pauses.
    const pauses = waits({ resend: 1, codeLifetime: 0 });
    if (meetsSilence) return 0;
    return pauses > 1 ? 1 : pauses === 0 ? 2 : 3;
  };
  return [...scenarios].sort((a, b) => rank(a) - rank(b));
}

/** The number of requests of an average scenario, for the estimate of the duration. */
const REQUESTS_PER_SCENARIO = 22;

/** How long (seconds) scenarios wait for clock and limits of the server. */
export function waitingTime(adapter: Adapter, scenarios: readonly Flow[]): number {
  const perSecond = adapter.settings.server.requestsPerSecond ?? Number.POSITIVE_INFINITY;
  const paced = Math.round((scenarios.length * REQUESTS_PER_SCENARIO) / perSecond);
  if (adapter.has('advanceClock')) return paced;
  const times = timesOf(adapter);
  const { beside, alone, busy, together, last } = groupsOf(adapter, scenarios);
  const secondsOf = (chosen: readonly Flow[]) => chosen.map(({ waits }) => waits(times));
  const sum = (seconds: number[]) => seconds.reduce((total, each) => total + each, 0);
  const seconds = secondsOf(together);
  const first =
    sum(secondsOf([...alone, ...busy])) + (adapter.isManual ? sum(seconds) : Math.max(0, ...seconds));
  const pauses = Math.max(first, ...secondsOf(beside)) + sum(secondsOf(last));
  // As many codes as the server allows in a minute need no wait; each further minute's worth does.
  const codes = adapter.has('requestOtp') ? sum(scenarios.map((each) => each.codes)) : 0;
  const perMinute = adapter.settings.otp?.perMinute ?? Number.POSITIVE_INFINITY;
  return Math.max(pauses, Math.floor((codes - 1) / perMinute) * 60, paced);
}

const timesOf = (adapter: Adapter): Times => ({
  resend: adapter.has('requestOtp') ? resendPauseOf(adapter) : 0,
  codeLifetime: codeLifetimeOf(adapter),
});

/** Why a scenario is not played: a step is missing, or the server has died. Undefined: it is played. */
async function whyUnplayable({ adapter, server }: DriverParts, { needs }: Flow) {
  const absent = needs.filter((step) => !adapter.has(step));
  if (absent.length > 0) return { absent };
  if (await server.settled()) return undefined;
  return { stopped: { because: SERVER_GONE, blame: 'auth server' } } as const;
}

async function play(parts: DriverParts, scenario: Flow, alone: boolean): Promise<void> {
  const { recorder, people, server, signal } = parts;
  signal.throwIfAborted();
  const unplayable = await whyUnplayable(parts, scenario);
  if (unplayable) {
    recorder.beginScenario(scenario.id, { alone });
    recorder.endScenario(scenario.id, unplayable);
    return;
  }
  // The run may have fewer people than the scenario needs. Then the scenario stops when it asks for one more.
  const takers = await people.take(Math.min(scenario.people, people.count));
  const driver = new Driver(parts, scenario, takers);
  recorder.beginScenario(scenario.id, { alone });
  driver.time.beginWork();
  let stopped: ScenarioEntry['stopped'];
  try {
    await scenario.play(driver).catch((error: unknown) => {
      if (!(error instanceof ScenarioStopped)) throw error;
      stopped = { because: error.message, blame: error.blame };
    });
    // Waits until it is known whether the server has died, because that would belong to this scenario.
    await server.settled();
    recorder.endScenario(scenario.id, stopped && { stopped });
  } finally {
    driver.time.endWork();
    people.giveBack(takers);
  }
}

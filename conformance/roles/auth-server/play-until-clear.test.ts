import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { Check } from '../../engine/check/check.ts';
import { ScenarioStopped } from '../../engine/check/playing.ts';
import { fail, inconclusive, pass } from '../../engine/check/testing/findings.ts';
import type { Recorder } from '../../engine/journal/recorder.ts';
import { openRecorder, request } from '../../engine/journal/testing/exchanges.ts';
import { JournalView } from '../../engine/journal/view.ts';
import { flow } from './flows/flow.ts';
import { People } from './people/people.ts';
import { ServerClock } from './people/time/server-clock.ts';
import { playUntilClear } from './play-until-clear.ts';
import type { OpenRun } from './run.ts';

/** What one attempt at the scenario shows: all is well, one check is in doubt, or the other has found a fault. */
type Shown = { well: boolean; unclear: boolean; other: boolean };

/** Spoils an attempt, in the journal or in what it shows. */
type Trouble = (recorder: Recorder, shown: Shown) => void;

const observationIn = (journal: JournalView) => journal.observations({ scenario: 'one', label: 'well' })[0];
const about = { scenarios: ['one'], watchable: false };

/** The check of the scenario's result. */
const ofResult: Check = {
  ...{ ...about, id: 'went-well', title: 'It went well', requirements: ['K-failure-told'] },
  judge: (journal: JournalView) => {
    const seen = observationIn(journal);
    if (!seen) return inconclusive('the scenario was stopped');
    if (seen?.values.well) return pass([seen.seq]);
    if (seen?.values.unclear) return inconclusive('it came too late to tell', [seen.seq]);
    return fail({ expected: 'well', actual: 'ill', evidence: [], advice: 'mend it', timeSensitive: true });
  },
};

/** A check of a recommendation, whose faults make no run red. */
const ofRecommendation: Check = {
  ...{ ...about, id: 'as-recommended', title: 'It is as we recommend', requirements: ['K-failure-told'] },
  judge: (journal) =>
    observationIn(journal)?.values.other
      ? fail({ expected: 'so', actual: 'otherwise', evidence: [], advice: 'mend it' })
      : pass([1]),
};

/** Plays one scenario, whose n-th attempt meets the n-th trouble; undefined: none. Tells how often, and how. */
async function attemptsWith(troubles: readonly (Trouble | undefined)[], earlier?: Trouble) {
  const clock = manualClock();
  const recorder = openRecorder(clock);
  earlier?.(recorder, { well: true, unclear: false, other: false });
  clock.advance(1_000);
  const { signal } = new AbortController();
  let attempts = 0;
  const one = flow({
    id: 'one',
    title: 'One',
    needs: [],
    play: async (driver) => {
      clock.advance(10);
      const trouble = troubles[attempts++];
      const shown = { well: trouble === undefined, unclear: false, other: false };
      trouble?.(recorder, shown);
      driver.observe({ scenario: 'one', label: 'well' }, shown);
      clock.advance(10);
    },
    checks: {},
  });
  let restarts = 0;
  const driver = {
    adapter: { has: () => true, isManual: false, perform: async () => ({ kind: 'done', values: {} }) },
    recorder,
    people: new People({ phone: String, count: 4 }),
    time: new ServerClock({ clock, signal, advance: async () => true }),
    pace: () => 'busy',
    found: {},
    server: {
      settled: async () => !new JournalView(recorder.entries()).serverIsGone,
      whileRestarting: async (act: () => Promise<unknown>) => {
        restarts++;
        return act();
      },
    },
    signal,
  };
  const meta = { mode: 'scenarios', finished: true };
  const run = { driver, bed: { recorder, silences: { pause: () => () => undefined } } } as unknown as OpenRun;
  await playUntilClear(run, {
    scenarios: [one],
    checks: [ofResult, ofRecommendation],
    meta: () => meta as never,
  });
  const begins = recorder
    .entries()
    .flatMap((entry) => (entry.kind === 'scenario' && entry.phase === 'begin' ? [entry] : []));
  return { attempts, alone: begins.map(({ alone }) => alone === true), ...(restarts > 0 && { restarts }) };
}

const silence: Trouble = (recorder) => recorder.silence(600);
/** A call of the server gets no answer from the kit; what was asked went well all the same. */
const unansweredCall: Trouble = (recorder, shown) => {
  shown.well = true;
  const open = recorder.step({ scenario: 'one', label: 'asks', user: 'Ann', step: 'exchangeToken' });
  recorder.exchange({ link: 'auth->ehr', request: request() }, open.seq).end();
  recorder.outcome(open, { kind: 'done', values: {} }, 1);
};
/** The same, and the scenario shows a fault. */
const faultAfterCall: Trouble = (recorder, shown) => {
  unansweredCall(recorder, shown);
  shown.well = false;
};
const death: Trouble = (recorder) => recorder.server({ event: 'died', ended: 'ended with code 1' });
const end: Trouble = (recorder) => recorder.server({ event: 'unreachable', ended: 'nothing listens there' });
const fault: Trouble = () => undefined;
/** Exchange tokens are given at first, and then none any more; the scenario stops there. */
const breakdown: Trouble = (recorder) => {
  for (const result of [
    { kind: 'done', values: {} },
    { kind: 'refused', status: 500, code: '' },
  ] as const) {
    const open = recorder.step({ scenario: 'one', label: 'asks', user: 'Ann', step: 'exchangeToken' });
    recorder.outcome(open, result, 1);
  }
  throw new ScenarioStopped('no exchange token', 'auth server');
};
/** The scenario stops at its first step. */
const standstill: Trouble = () => {
  throw new ScenarioStopped('no sign-in', 'auth server');
};
/** The scenario stops because a code did not come. */
const strayCode: Trouble = () => {
  throw new ScenarioStopped('no code came', 'environment');
};
const doubt: Trouble = (_recorder, shown) => {
  shown.unclear = true;
};
/** One check is in doubt, and another has found a weakness that no run fails by. */
const recommendation: Trouble = (_recorder, shown) => {
  shown.unclear = true;
  shown.other = true;
};

const silences = Array<Trouble>(4).fill(silence);

test.each<[string, (Trouble | undefined)[], object]>([
  ['what a silence may have spoilt is played again, alone', [silence, undefined], { alone: [false, true] }],
  ['what a silence spoils each time is played three times', silences, { attempts: 3 }],
  ['a failure without a silence is played once', [fault], { attempts: 1 }],
  ['a success is played once', [undefined], { attempts: 1 }],
  ['what may lack a call that got no answer is played twice', [unansweredCall, undefined], { attempts: 2 }],
  ['what showed a fault beside such a call is played once', [faultAfterCall, undefined], { attempts: 1 }],
  [
    'what remained unclear beside others is played again, alone',
    [doubt, undefined],
    { alone: [false, true] },
  ],
  ['a doubt that remains is played twice', [doubt, doubt, doubt], { attempts: 2 }],
  ['what broke a recommendation is played once', [recommendation, undefined], { attempts: 1 }],
  ['what the server did not live through is played twice', [death, death, death], { alone: [false, true] }],
  [
    'what a broken server stopped is played again after a restart',
    [breakdown, undefined],
    { alone: [false, true], restarts: 1 },
  ],
  [
    'what is stopped after the restart too is played twice',
    [breakdown, breakdown, breakdown],
    { attempts: 2, restarts: 1 },
  ],
  [
    'what lacked a code beside others is played again, alone',
    [strayCode, undefined],
    { alone: [false, true] },
  ],
  ['what stopped at its first step is played once', [standstill, undefined], { attempts: 1 }],
  ['after the server is gone nothing is played again', [end], { attempts: 1 }],
])('%s', async (_title, troubles, expected) => {
  const attempts = await attemptsWith(troubles);
  expect(attempts).toMatchObject(expected);
  expect('restarts' in attempts).toBe('restarts' in expected);
  expect(attempts.alone).toHaveLength(attempts.attempts);
});

test('what came too late beside others is played alone after the kit stood still', async () => {
  expect(await attemptsWith([fault, undefined], silence)).toMatchObject({ alone: [false, true] });
  expect(await attemptsWith([fault, fault, fault], silence)).toMatchObject({ attempts: 2 });
});

import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { openRecorder } from '../../../engine/journal/testing/exchanges.ts';
import type { Pace } from '../../../engine/party/pace.ts';
import { type Flow, flow } from '../flows/flow.ts';
import { People } from './people.ts';
import { playAll } from './play.ts';
import type { DriverParts } from './steps.ts';
import { ServerClock } from './time/server-clock.ts';

/** Turns of the event loop that a scenario takes here: enough for others to begin meanwhile. */
const TURNS = 20;

type Some = Partial<Pick<Flow, 'when' | 'waits' | 'meetsSilence'>>;

const scenario = (id: string, more: Some = {}, end: () => unknown = () => undefined) =>
  flow({
    ...{ id, title: id, needs: [], checks: {}, ...more },
    async play() {
      for (let turn = 0; turn < TURNS; turn++) await new Promise(setImmediate);
      end();
    },
  });

const untilEnd: Some = { waits: ({ codeLifetime }) => codeLifetime + 1 };

/** Plays scenarios with a server whose clock runs by itself. Returns what ran when each of them began. */
async function besides(scenarios: readonly Flow[], pace: Pace = 'busy') {
  const clock = manualClock();
  const { signal } = new AbortController();
  const recorder = openRecorder(clock);
  const running = new Set<string>();
  const seen: Record<string, readonly string[]> = {};
  recorder.onEntry((entry) => {
    if (entry.kind !== 'scenario') return;
    if (entry.phase === 'begin') seen[entry.scenario] = [...running];
    if (entry.phase === 'begin') running.add(entry.scenario);
    else running.delete(entry.scenario);
  });
  const parts = {
    ...{ recorder, signal, clock, pace: () => pace, found: {} },
    adapter: {
      has: (step: string) => step !== 'advanceClock',
      isManual: false,
      settings: { otp: { lifetimeSeconds: 10 } },
    },
    people: new People({ phone: String, count: Number.POSITIVE_INFINITY }),
    time: new ServerClock({ clock, signal, advance: undefined }),
    server: { settled: async () => true },
  };
  return { seen, played: playAll(parts as unknown as DriverParts, scenarios) };
}

const all = [
  scenario('last', { when: 'last' }),
  scenario('one'),
  scenario('two', { meetsSilence: true }),
  scenario('busy', { when: 'busy' }),
  scenario('code ends', untilEnd),
  scenario('alone', { when: 'alone' }),
];

test.each([
  ['busy', { alone: ['code ends'], busy: [], two: [], one: ['two'] }],
  ['quick', { alone: ['code ends'], two: [], busy: ['two'], one: ['two', 'busy'] }],
] as const)('scenarios are played in order, with a server that is %s', async (pace, order) => {
  const { seen, played } = await besides(all, pace);
  await played;
  expect(seen).toEqual({ 'code ends': [], ...order, last: [] });
});

test('a fault of the kit ends the run before the last scenarios', async () => {
  const broken = scenario('broken', untilEnd, () => {
    throw new Error('the kit is broken');
  });
  const slow = [scenario('alone', { when: 'alone' }), scenario('alone too', { when: 'alone' })];
  const { seen, played } = await besides([broken, ...slow, scenario('last', { when: 'last' })]);
  await expect(played).rejects.toThrow('the kit is broken');
  expect(Object.keys(seen)).toEqual(['broken', 'alone', 'alone too']);
});

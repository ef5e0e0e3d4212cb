import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import type { Adapter } from '../../adapter/adapter.ts';
import { type Flow, flow } from '../../flows/flow.ts';
import { scenarios } from '../../flows/index.ts';
import { waitingTime } from '../play.ts';
import { ScenarioTime } from './scenario-time.ts';
import { ServerClock } from './server-clock.ts';

/** A clock that lists its moves, in milliseconds. Where `canMove` is false it fails to move. */
function openClock({ canMove = true } = {}) {
  const moves: number[] = [];
  const { signal } = new AbortController();
  const advance = async (ms: number) => moves.push(ms) > 0 && canMove;
  const time = new ServerClock({ clock: manualClock(), signal, advance });
  const begin = time.now();
  return { time, moves, signal, passed: () => time.now() - begin };
}

test('time moves when everybody at work waits, and only so far as it must', async () => {
  const { time, moves, passed } = openClock();
  const [leave] = [time.enter(), time.enter()];
  const first = time.wait(1_000);
  await Promise.resolve();
  expect(moves).toEqual([]);
  leave?.();
  expect(await first).toBe(true);
  expect(moves).toEqual([1_000]);
  expect(passed()).toBe(1_000);
});

test('who may wait longer goes on together with the others', async () => {
  const { time, moves } = openClock();
  for (let worker = 0; worker < 3; worker++) time.enter();
  await Promise.all([time.wait(1_000, 500), time.wait(1_200, 500), time.wait(1_499, 500)]);
  expect(moves).toEqual([1_499]);
});

test('nobody waits longer than they may', async () => {
  const { time, moves, passed } = openClock();
  const leave = [time.enter(), time.enter(), time.enter()];
  const ended = [1_000, 2_000, 1_700].map(async (ms, index) => {
    // The second one needs the exact moment.
    await time.wait(ms, index === 1 ? 0 : 600);
    leave[index]?.();
    return passed();
  });
  expect(await Promise.all(ended)).toEqual([1_000, 2_000, 2_000]);
  expect(moves).toEqual([1_000, 1_000]);
});

test('a clock that does not move is told to all who wait for it', async () => {
  const { time } = openClock({ canMove: false });
  time.enter();
  expect(await time.wait(1_000, 500)).toBe(false);
});

const adapter = (more: Partial<Adapter> = {}, otp: object = {}, server: object = {}) =>
  ({
    has: (step) => step !== 'advanceClock',
    isManual: false,
    settings: { server, otp: { resendAfterSeconds: 0, lifetimeSeconds: 10, ...otp } },
    ...more,
  }) as Adapter;
const one = (more: Partial<Pick<Flow, 'when' | 'people' | 'codes' | 'waits'>> = {}) =>
  flow({ id: 'one', title: 'One', needs: [], play: async () => undefined, checks: {}, ...more });

test('scenarios side by side wait together, the others one after the other', () => {
  const waits = () => 11;
  const played = [
    one({ waits }),
    one({ waits }),
    one({ waits, when: 'alone' }),
    one({ waits, when: 'last' }),
  ];
  expect(waitingTime(adapter(), played)).toBe(33);
  expect(waitingTime(adapter({ isManual: true }), played)).toBe(44);
});

test('where the clock can be moved, nobody waits', () => {
  expect(waitingTime(adapter({ has: () => true }), [one({ waits: () => 60 })])).toBe(0);
});

test('a rate of codes is awaited, beyond the codes allowed at once', () => {
  const played = [one({ codes: 100 }), one({ people: 3, waits: ({ resend }) => 2 * resend })];
  expect(played[1]?.codes).toBe(5);
  expect(waitingTime(adapter({}, { perMinute: 20 }), played)).toBe(300);
  expect(waitingTime(adapter({}, { perMinute: 200 }), played)).toBe(0);
});

test('scenarios that wait for the end of a code do so beside all others', () => {
  const untilEnd = ({ codeLifetime }: { codeLifetime: number }) => codeLifetime + 1;
  const alone = one({ when: 'alone', waits: () => 4 });
  expect(waitingTime(adapter(), [alone, one({ waits: untilEnd }), one({ waits: untilEnd })])).toBe(11);
  expect(waitingTime(adapter(), [alone, one({ waits: () => 8 }), one({ waits: untilEnd })])).toBe(12);
  expect(waitingTime(adapter({ isManual: true }), [alone, one({ waits: untilEnd })])).toBe(15);
});

test('a server with codes of ten seconds is awaited as long as its run', () => {
  const told = waitingTime(adapter({}, { resendAfterSeconds: 2 }), scenarios);
  // The lifetime of a code and a second, beside all others but the last, which wait for two pauses.
  expect(told).toBe(10 + 1 + 2 * 2);
});

test('a rate of requests is waited for, also where the clock can be moved', () => {
  const paced = adapter({ has: () => true }, {}, { requestsPerSecond: 10 });
  const played = Array.from({ length: 50 }, () => one());
  expect(waitingTime(paced, played)).toBe(110);
});

test('a failed part of a scenario is thrown when every part has ended', async () => {
  const { time, signal } = openClock();
  const scenario = new ScenarioTime(
    { time, signal } as ConstructorParameters<typeof ScenarioTime>[0],
    'parts',
  );
  scenario.beginWork();
  let isOver = false;
  const slow = async () => {
    await new Promise(setImmediate);
    isOver = true;
  };
  const failing = () => Promise.reject(new Error('no code came'));
  await expect(scenario.together([failing, slow])).rejects.toThrow('no code came');
  expect(isOver).toBe(true);
});

test('the clock moves only when every part of a scenario waits', async () => {
  const { time, moves, signal } = openClock();
  const timeParts = { time, signal } as ConstructorParameters<typeof ScenarioTime>[0];
  const [scenario, beside] = ['parts', 'beside'].map((id) => new ScenarioTime(timeParts, id));
  for (const each of [scenario, beside]) each?.beginWork();
  const wait = () => scenario?.advance(1_000) ?? Promise.resolve(false);
  const parts = scenario?.together([wait, wait]);
  // Longer than any chain of promises takes.
  await new Promise(setImmediate);
  expect(moves).toEqual([]);
  expect(await beside?.advance(1_000)).toBe(true);
  expect(await parts).toEqual([true, true]);
  expect(moves).toEqual([1_000]);
});

import { expect, test } from 'vitest';
import type { Adapter } from '../../adapter/adapter.ts';
import { type Flow, flow } from '../../flows/flow.ts';
import { scenarios } from '../../flows/index.ts';
import { waitingTime } from '../play.ts';

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
  expect(
    waitingTime(
      paced,
      Array.from({ length: 50 }, () => one()),
    ),
  ).toBe(110);
});

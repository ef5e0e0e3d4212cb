/**
 * Time as a value: every party gets one `Clock` and reads no other, so a test can move time without sleeping.
 */

/** Reads the time in milliseconds since 1970-01-01 UTC, and sets alarms. */
export type Clock = {
  now(): number;
  /**
   * Call `wake` once `ms` milliseconds have passed on this clock. The returned function cancels the alarm.
   */
  after(ms: number, wake: () => void): () => void;
};

/** A clock whose time is moved by its owner. */
export type MovableClock = Clock & {
  /** Move the time by `ms`, back if negative, and ring the alarms that become due, in order. */
  advance(ms: number): void;
};

/** The longest time for `setTimeout`: a signed 32-bit number. It fires at once for a longer one. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, wake) {
    let remaining = Math.max(0, ms);
    let handle: ReturnType<typeof setTimeout>;
    const arm = () => {
      const step = Math.min(remaining, MAX_TIMEOUT_MS);
      remaining -= step;
      handle = setTimeout(remaining > 0 ? arm : wake, step);
    };
    arm();
    return () => clearTimeout(handle);
  },
};

/**
 * Create a clock that stands still until it is moved.
 * @example
 * const clock = manualClock();
 * clock.advance(10 * 60_000); // ten minutes later, now
 */
export function manualClock(start: number = Date.UTC(2026, 0, 15, 9)): MovableClock {
  let time = start;
  const alarms = new AlarmList();
  return {
    now: () => time,
    after: (ms, wake) => alarms.add(time + Math.max(0, ms), wake),
    advance(ms) {
      const target = time + ms;
      for (let due = alarms.takeDue(target); due; due = alarms.takeDue(target)) {
        time = Math.max(time, due.at);
        due.wake();
      }
      // An alarm may have moved the clock further itself. Only a negative `ms` moves it back.
      time = ms < 0 ? target : Math.max(time, target);
    },
  };
}

/**
 * Create a clock that runs with `base` and can also be moved. The demo uses it: real time goes on between
 * jumps. A jump is made at once, so the alarms that it rings see the time after it.
 */
export function movableClock(base: Clock): MovableClock {
  let offset = 0;
  const alarms = new AlarmList();
  const now = () => base.now() + offset;
  const ring = () => {
    for (let due = alarms.takeDue(now()); due; due = alarms.takeDue(now())) due.wake();
  };
  return {
    now,
    after(ms, wake) {
      const at = now() + Math.max(0, ms);
      let pending = true;
      const forget = alarms.add(at, () => {
        pending = false;
        cancel();
        wake();
      });
      const onTime = () => {
        ring();
        // The timer is set again if it fired a moment early, or if the time was moved back in the meantime.
        if (pending) cancel = base.after(Math.max(1, at - now()), onTime);
      };
      let cancel = base.after(ms, onTime);
      return () => {
        pending = false;
        forget();
        cancel();
      };
    },
    advance(ms) {
      offset += ms;
      ring();
    },
  };
}

/** Create the clock of a party whose time is wrong by `skew` milliseconds. */
export function skewedClock(base: Clock, skew: number): Clock {
  return { now: () => base.now() + skew, after: (ms, wake) => base.after(ms, wake) };
}

/** Create an abort signal that fires when `ms` have passed on `clock`. `cancel` releases its alarm. */
export function deadline(
  clock: Clock,
  ms: number,
  reason: Error,
): { signal: AbortSignal; cancel: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, cancel: clock.after(ms, () => controller.abort(reason)) };
}

/** Resolves after `ms` milliseconds of the clock, or at once when the signal is aborted. Never rejects. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

type Alarm = { at: number; wake: () => void };

class AlarmList {
  readonly #alarms = new Set<Alarm>();

  add(at: number, wake: () => void): () => void {
    const alarm = { at, wake };
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  }

  /** Remove and return the earliest alarm that is due at `time`. Of equal ones, take the one set first. */
  takeDue(time: number): Alarm | undefined {
    let earliest: Alarm | undefined;
    for (const alarm of this.#alarms) {
      if (alarm.at <= time && (!earliest || alarm.at < earliest.at)) earliest = alarm;
    }
    if (earliest) this.#alarms.delete(earliest);
    return earliest;
  }
}

/** Names, times and durations as the page writes them. */
import type { ClockState, Outcome, PartyName, Time } from '../../api.ts';

export const partyNames: Readonly<Record<PartyName, string>> = {
  client: 'Client',
  auth: 'Authorization server',
  ehr: 'EHR server',
};

export const outcomeWords: Readonly<Record<Outcome, string>> = {
  underWay: 'under way',
  done: 'done',
  refused: 'refused',
  failed: 'failed',
  broken: 'no reply',
};

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

const two = (value: number) => String(value).padStart(2, '0');

/** The time of day in the time zone of the reader: `12:09:59.0`. */
export function timeOfDay(time: Time): string {
  const date = new Date(time);
  const tenth = Math.floor(date.getMilliseconds() / 100);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${tenth}`;
}

/** A duration as a clock counts it: `0:01.0`, `9:59`, `23:50:01`, `364d 2h`. */
export function countdown(ms: number): string {
  if (ms < MINUTE_MS) return `0:${two(Math.floor(ms / SECOND_MS))}.${Math.floor((ms % SECOND_MS) / 100)}`;
  const hours = Math.floor(ms / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const seconds = two(Math.floor((ms % MINUTE_MS) / SECOND_MS));
  if (ms >= 2 * DAY_MS) return `${Math.floor(ms / DAY_MS)}d ${Math.floor((ms % DAY_MS) / HOUR_MS)}h`;
  return hours > 0 ? `${hours}:${two(minutes)}:${seconds}` : `${minutes}:${seconds}`;
}

const dayFormat = { weekday: 'short', day: 'numeric', month: 'short' } as const;

/** English that writes the day before the month, and counts 24 hours. */
const LOCALE = 'en-GB';

/** The day in the time zone of the reader: `Fri, 16 Jan`. */
export function dayOf(time: Time): string {
  return new Intl.DateTimeFormat(LOCALE, dayFormat).format(time);
}

/** The date in the time zone of the reader: `16 Jan 2026`. */
export function dateOf(time: Time): string {
  return new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' }).format(time);
}

/** Reading two clocks one after the other takes a moment, which is no move. */
const MIN_MOVED_MS = 500;

export function isMoved(clock: ClockState | undefined): clock is ClockState {
  return clock !== undefined && Math.abs(clock.offsetMs) >= MIN_MOVED_MS;
}

/** How far a clock was moved, in days, hours, minutes and seconds: `+0:10:00`, `+1 day 2:00:00`. */
export function movedBy(ms: number): string {
  const left = Math.round(Math.abs(ms) / SECOND_MS) * SECOND_MS;
  const days = Math.floor(left / DAY_MS);
  const unit = { style: 'unit', unit: 'day', unitDisplay: 'long' } as const;
  const told = days > 0 ? `${new Intl.NumberFormat(LOCALE, unit).format(days)} ` : '';
  const hours = Math.floor((left % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((left % HOUR_MS) / MINUTE_MS);
  const seconds = Math.floor((left % MINUTE_MS) / SECOND_MS);
  return `${ms < 0 ? '−' : '+'}${told}${hours}:${two(minutes)}:${two(seconds)}`;
}

/** A skew in seconds with its sign: `+0.5 s`. */
export function skew(ms: number): string {
  return ms === 0 ? '±0' : `${ms > 0 ? '+' : '−'}${Math.abs(ms) / SECOND_MS} s`;
}

/** The method without the name of its service, which nearly all share. */
export function splitMethod(method: string): readonly [service: string, name: string] {
  const dot = method.includes(' ') ? -1 : method.lastIndexOf('.');
  return [method.slice(0, dot + 1), method.slice(dot + 1)];
}

/** Times and durations as the page writes them. */
import type { Time } from '../../api.ts';

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

/** A skew in seconds with its sign: `+0.5 s`. */
export function skew(ms: number): string {
  return ms === 0 ? '±0' : `${ms > 0 ? '+' : '−'}${Math.abs(ms) / SECOND_MS} s`;
}

/** The method without the name of its service, which nearly all share. */
export function splitMethod(method: string): readonly [service: string, name: string] {
  const dot = method.includes(' ') ? -1 : method.lastIndexOf('.');
  return [method.slice(0, dot + 1), method.slice(dot + 1)];
}

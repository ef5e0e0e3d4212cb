/**
 * Describes a one-time code without its value. By these facts a check can tell whether an attacker could
 * guess the next code.
 */
import type { CodeFacts } from '../../entry.ts';

export type CodeContext = {
  phone: string;
  /** Milliseconds since 1970. */
  now: number;
  /** The earlier codes of this run, newest first, to all phones. */
  before: readonly string[];
};

/**
 * Returns the facts of a code. The facts say from what it was derived only if it has four digits or more: a
 * shorter code equals a part of the phone or the clock by chance.
 */
export function codeFacts(code: string, { phone, now, before }: CodeContext): CodeFacts {
  const digits = /^\d+$/.test(code);
  if (!digits) return { length: code.length, digits };
  const all = 10 ** code.length;
  const [last] = before;
  const step = last?.length === code.length ? (Number(code) - Number(last) + all) % all : undefined;
  const derived = code.length < 4 ? undefined : derivation(code, phone, now);
  const tenth = Math.floor((Number(code) * 10) / all);
  return { length: code.length, digits, step, tenth, derived };
}

/** The clock of the server may differ from the kit's clock by this many seconds. */
const CLOCK_RANGE_SECONDS = 3;

function derivation(code: string, phone: string, now: number): string | undefined {
  const number = phone.replace(/\D/g, '');
  if (number.endsWith(code) || number.startsWith(code)) return 'the phone';
  for (let offset = -CLOCK_RANGE_SECONDS; offset <= CLOCK_RANGE_SECONDS; offset++) {
    const seconds = Math.floor(now / 1_000) + offset;
    const time = new Date(seconds * 1_000).toISOString();
    const ofDay = time.slice(11, 19).replaceAll(':', '');
    if (String(seconds).endsWith(code) || ofDay.startsWith(code)) return 'the clock';
  }
  return undefined;
}

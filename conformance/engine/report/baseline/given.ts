/** Checks what a user gives for new known failures: a reason, and the last day on which they are accepted. */
import { SettingsError } from '#service/process/command-line/settings.ts';
import { readUntil } from './last-day.ts';
import { REASON } from './load.ts';

/** Limits a reason. With one of this length for each check, the file can still be read. */
const MAX_REASON_CHARS = 500;

/** Characters that end a line, or that a terminal or an editor does not show. */
const NOT_IN_A_LINE = /[\p{Cc}\u2028\u2029]/u;

/**
 * Reads a reason.
 * @param name what gives it, such as `--reason`
 * @returns the reason without the blanks around it
 * @throws SettingsError when the file of known failures could not hold it
 */
export function readReason(name: string, text: string): string {
  const reason = text.trim();
  if (reason === '') throw new SettingsError(`${name} must say why the failures are accepted; it is empty.`);
  if (reason.length > MAX_REASON_CHARS)
    throw new SettingsError(`${name} must have at most ${MAX_REASON_CHARS} characters.`);
  const given = `given was ${JSON.stringify(text)}`;
  if (NOT_IN_A_LINE.test(reason))
    throw new SettingsError(`${name} must be one line, without tabs and other control characters; ${given}.`);
  if (REASON.test(reason))
    throw new SettingsError(`${name} must not say ", until": the day is given apart; ${given}.`);
  return reason;
}

/**
 * Reads the last day.
 * @param name what gives it, such as `--until`
 * @param today the earliest day that is taken, `YYYY-MM-DD`
 * @throws SettingsError when it is no day, or has passed
 */
export function readDay(name: string, text: string, today: string): string {
  const read = readUntil(text);
  const given = `given was ${JSON.stringify(text)}`;
  if (!('day' in read)) {
    const meant = 'refused' in read ? read.meant : undefined;
    throw new SettingsError(`${name} must be a day, such as ${meant ?? exampleDay(today)}; ${given}.`);
  }
  if (read.day < today)
    throw new SettingsError(`${name} must not have passed: today is ${today}, and ${given}.`);
  return read.day;
}

/** A day that has not passed, as an example. */
export const exampleDay = (today: string) => `${Number(today.slice(0, 4)) + 1}-03-31`;

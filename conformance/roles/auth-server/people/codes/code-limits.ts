/** Legitimate limits on codes: kept where the adapter file states them, else named in the report. */
import type { StepResult } from '../../../../engine/journal/entry.ts';
import type { DriverParts } from '../driver-parts.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Limits the codes that a scenario requests for one phone, beside those that make its user new. */
const MAX_CODES_PER_SCENARIO = 8;

/** Lower limits than these (codes a minute; codes a day to one phone) are not expected of any server. */
const MIN_CODES_PER_MINUTE = 5;
const MIN_CODES_PER_DAY = 5;

/**
 * When a person who requested these codes may take part again, by the clock of the server under test; 0 for
 * at once.
 */
export function nextCodeAt(
  codes: readonly number[],
  { pauseMs, perDay }: { pauseMs: number; perDay: number | undefined },
): number {
  const last = codes.at(-1);
  if (last === undefined) return 0;
  // Leaves enough of the day's codes for one more scenario.
  const room = perDay === undefined ? undefined : Math.max(1, perDay - MAX_CODES_PER_SCENARIO);
  const full = room === undefined ? undefined : codes.at(-room);
  return Math.max(last + pauseMs, full === undefined ? 0 : full + DAY_MS + 1);
}

/** Whether a refusal may be due to a limit: HTTP 429, a JSON-RPC refusal, or words that suggest one. */
export function mayBeLimit({
  status,
  code = '',
  reason = '',
}: Extract<StepResult, { kind: 'refused' }>): boolean {
  return (
    status === 429 ||
    status < 300 ||
    /limit|many|often|rate|wait|later|soon|moment|quota/i.test(`${code} ${reason}`)
  );
}

/** Names the limit that explains a refused code, and what to state; undefined when none does. */
export function limitOf(
  phone: string,
  { people, time, adapter }: Pick<DriverParts, 'people' | 'time' | 'adapter'>,
  pauseMs: number,
): string | undefined {
  const now = time.now();
  const codes = people.codesTo(phone).filter((at) => at > now - DAY_MS);
  if ((codes.at(-1) ?? 0) + pauseMs > now) return undefined;
  if (codes.length >= MIN_CODES_PER_DAY)
    return adapter.codesPerDay === undefined || !time.canAdvance
      ? 'the server limits the codes of a day to one phone: state otp.perDay in the adapter file and describe advanceClock, or name more phones'
      : undefined;
  if (people.codesSince(now - MINUTE_MS) >= MIN_CODES_PER_MINUTE)
    return 'the server limits codes by address: state otp.perMinute in the adapter file';
  return undefined;
}

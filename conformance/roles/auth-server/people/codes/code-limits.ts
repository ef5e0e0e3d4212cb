/**
 * Limits that a server may rightly have on codes: the kit waits for a limit that the adapter file states, and
 * names in the report one that it runs into.
 */
import type { StepResult } from '../../../../engine/journal/entry.ts';
import type { DriverParts } from '../driver-parts.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * The most codes that one scenario requests for one phone. Codes that make a linked user new are not counted.
 */
const MAX_CODES_PER_SCENARIO = 8;

/** No server is expected to have lower limits: codes a minute from one address, codes a day to one phone. */
const MIN_CODES_PER_MINUTE = 5;
const MIN_CODES_PER_DAY = 5;

/**
 * When a person may take part in a scenario again: a moment (ms) by the clock of the server under test; 0: at
 * once.
 * @param codes the moments at which codes were requested for the person's phone, oldest first
 * @param pauseMs the pause between two codes
 * @param perDay the codes a day to one phone; undefined: no limit
 */
export function nextCodeAt(
  codes: readonly number[],
  { pauseMs, perDay }: { pauseMs: number; perDay: number | undefined },
): number {
  const last = codes.at(-1);
  if (last === undefined) return 0;
  // How many codes may be used up before a scenario begins, so that enough of the day's codes are left for
  // it.
  const room = perDay === undefined ? undefined : Math.max(1, perDay - MAX_CODES_PER_SCENARIO);
  const full = room === undefined ? undefined : codes.at(-room);
  return Math.max(last + pauseMs, full === undefined ? 0 : full + DAY_MS + 1);
}

/**
 * Whether a refusal may be due to a limit: by HTTP 429, by words that suggest one, or because it is a
 * JSON-RPC error (HTTP 200), which has no status to go by.
 */
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

/**
 * Says which limit explains that a code was refused, and what to state in the adapter file.
 * @returns undefined where no limit explains it, as when the kit did not keep the pause itself
 */
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

/** Limits on codes: the kit waits for one that the file states, and names one that it runs into. */
import type { StepResult } from '../../../../engine/journal/entry.ts';
import type { DriverParts } from '../steps.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Codes that one scenario requests for one phone, without those that make a user new. */
const MAX_CODES_PER_SCENARIO = 8;

/** No server is expected to have lower limits: codes a minute from one address, codes a day to one phone. */
const MIN_CODES_PER_MINUTE = 5;
const MIN_CODES_PER_DAY = 5;

/** When (ms) a person may take part again, after these codes (oldest first); 0: at once. */
export function nextCodeAt(
  codes: readonly number[],
  { pauseMs, perDay }: { pauseMs: number; perDay: number | undefined },
): number {
  const last = codes.at(-1);
  if (last === undefined) return 0;
  // How many may be used up before, so that enough codes of the day are left.
  const room = perDay === undefined ? undefined : Math.max(1, perDay - MAX_CODES_PER_SCENARIO);
  const full = room === undefined ? undefined : codes.at(-room);
  return Math.max(last + pauseMs, full === undefined ? 0 : full + DAY_MS + 1);
}

/** By HTTP 429, by its words, or as a JSON-RPC error, which has no status to go by. */
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

/** Which limit explains a refusal; undefined where none does. */
export function limitOf(
  phone: string,
  { people, time, adapter }: Pick<DriverParts, 'people' | 'time' | 'adapter'>,
  pauseMs: number,
): string | undefined {
  const now = time.now();
  const codes = people.codesTo(phone).filter((at) => at > now - DAY_MS);
  if ((codes.at(-1) ?? 0) + pauseMs > now) return undefined;
  if (codes.length >= MIN_CODES_PER_DAY)
    return adapter.settings.otp?.perDay === undefined || !time.canAdvance
      ? 'the server limits the codes of a day to one phone: state otp.perDay in the adapter file and describe advanceClock, or name more phones'
      : undefined;
  if (people.codesSince(now - MINUTE_MS) >= MIN_CODES_PER_MINUTE)
    return 'the server limits codes by address: state otp.perMinute in the adapter file';
  return undefined;
}

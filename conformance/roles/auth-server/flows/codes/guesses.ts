/** Makes and tries wrong one-time codes for several flows, and says what the server must do with them. */
import type { Expects } from '../../../../engine/journal/entry.ts';
import type { Driver, User } from '../../people/driver.ts';
import { refused } from '../flow.ts';

/** The `offset`-th number after the code, with as many digits. */
export function otherCode(code: string, offset = 1): string {
  const digits = code.replace(/\D/g, '').length || 6;
  return String((Number(code) + offset) % 10 ** digits).padStart(digits, '0');
}

/** Returns a wrong code whose first `digits` digits are those of the right code, and no other. */
export function codeAgreeingIn(code: string, digits: number): string {
  return [...code].map((digit, place) => (place < digits ? digit : otherCode(digit, 5))).join('');
}

/** Confirms a code. `defect` says what is wrong with it; a step without `defect` is right. */
export const confirm = (
  driver: Driver,
  user: User,
  label: string,
  code: string,
  defect?: string,
  ...expects: readonly Expects[]
) => driver.perform(user, 'confirmOtp', label, { code, expects, ...(defect !== undefined && { defect }) });

/** Tries one wrong code after another, because codes that come at once might not all be counted. */
export async function guess(
  driver: Driver,
  user: User,
  label: string,
  code: string,
  { from = 1, to = TRY_COUNT } = {},
): Promise<void> {
  for (let offset = from; offset <= to; offset++)
    await confirm(driver, user, label, otherCode(code, offset), 'a guess');
}

export const OUTLIVED =
  'the codes of this server ran out before so many wrong ones were tried, so a refusal would show nothing';

/** Whether a code that was requested then has run out, which is noted: to try it would show nothing. */
export function isOutlived(driver: Driver, requestedAt: number): boolean {
  const isOut = driver.time.now() - requestedAt >= driver.time.codeLifetimeMs;
  if (isOut) driver.note(`The right code was not tried: ${OUTLIVED}.`);
  return isOut;
}

/** The wrong codes before the right one: more than the three to ten tries that a careful server allows. */
export const TRY_COUNT = 12;

/** The guesses between two requests for a code: fewer than a careful server allows for one code. */
export const GUESSES_BETWEEN_REQUESTS = 4;

/** Limits the real wait (ms) for half the lifetime of a code, where the clock cannot be moved. */
export const HALF_LIFE_WAIT_MS = 33_000;

/** How long (ms) a message may take after the server has answered the request for it. */
export const MESSAGE_WAIT_MS = 400;

export const NOT_COUNTED = { unclear: 'the messages were not counted' } as const;

export const TOO_MANY = 'too many wrong codes came before it';

export const CAME_WITH_REFUSAL = 'the value came with the refusal of a wrong code';

/** The server must refuse the code and send nothing to the EHR server, for this check. */
export const opensNoSession = (check?: string) =>
  refused('the sign-in is refused', { nothingSent: true, ...(check !== undefined && { check }) });

export const CONFIRM_ADVICE =
  'Compare the code with the newest one sent to this very phone, once, and open no session otherwise.';

export const UNLIMITED = 'the tries are not limited in any case: see tries-limited';

/** Wrong codes: how they are made and tried, and what must come of them. */
import type { Driver, User } from '../../people/driver.ts';
import { refused } from '../flow.ts';

/** A wrong code of the same length; `offset` makes several different ones. */
export function otherCode(code: string, offset = 1): string {
  const digits = code.replace(/\D/g, '').length || 6;
  return String((Number(code) + offset) % 10 ** digits).padStart(digits, '0');
}

/** A wrong code that agrees with the right one in this many digits. */
export function codeAgreeingIn(code: string, digits: number): string {
  return [...code].map((digit, place) => (place < digits ? digit : otherCode(digit, 5))).join('');
}

/** Sends a code, which is wrong for the reason that is given. */
export const confirm = (driver: Driver, user: User, label: string, code: string, defect?: string) =>
  driver.perform(user, 'confirmOtp', label, { code, ...(defect !== undefined && { defect }) });

/** Exceeds the tries that a careful server allows. */
export const TRY_COUNT = 12;

/** Limits the real wait (ms) for half the lifetime of a code, where the clock cannot be moved. */
export const HALF_LIFE_WAIT_MS = 33_000;

/** Limits the wait (ms) for a message after a success. */
export const MESSAGE_WAIT_MS = 400;

/** Where the kit recorded no number of messages. */
export const NOT_COUNTED = { unclear: 'the messages were not counted' } as const;

/** The mistake of a right code that comes too late. */
export const TOO_MANY = 'too many wrong codes came before it';

/** The mistake of a session that nobody opened. */
export const CAME_WITH_REFUSAL = 'the value came with the refusal of a wrong code';

/** The code opens no session, and the EHR server is sent nothing. */
export const opensNoSession = refused('the sign-in is refused', { nothingSent: true });

export const CONFIRM_ADVICE =
  'Compare the code with the newest one sent to this very phone, once, and open no session otherwise.';

/** Without a limit of tries there is none to be passed by. */
export const UNLIMITED = 'the tries are not limited in any case: see tries-limited';

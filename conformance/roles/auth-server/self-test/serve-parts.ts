/** What every authorization server of the self-test is started with. */
import type { Clock } from '#protocol/time/clock.ts';

/**
 * The addresses of the kit's EHR server and SMS receiver (undefined: there is none), the clock, and the
 * random seed.
 */
export type ServeParts = { ehrUrl: string; smsUrl: string | undefined; clock: Clock; seed: number };

/**
 * Codes for one phone in a day: more than any person of the kit asks for, so that the cap never stops a
 * scenario.
 */
export const CODES_PER_DAY = 40;

/** Pause (seconds) between two codes to one phone; not zero, so that pauses are tested as well. */
export const RESEND_AFTER_SECONDS = 30;

/** The start parameters of a server of the self-test. */
import type { Clock } from '#protocol/time/clock.ts';

export type ServeParts = { ehrUrl: string; smsUrl: string | undefined; clock: Clock; seed: number };

/** Exceeds the sign-ins of any of the kit's people in a day. */
export const CODES_PER_DAY = 40;

/** Pause (seconds) between two codes to one phone; not zero, so that pauses are tested as well. */
export const RESEND_AFTER_SECONDS = 30;

/** What a server of the self-test is started with. */
import type { Clock } from '#protocol/clock.ts';

export type ServeParts = { ehrUrl: string; smsUrl: string | undefined; clock: Clock; seed: number };

/** More sign-ins than any of the kit's people makes in a day. */
export const CODES_PER_DAY = 40;

/** Seconds between two codes to one phone: a pause must be found right as well. */
export const RESEND_AFTER_SECONDS = 30;

/** Spans of time of the server under test, where its adapter file states none. */
import type { Adapter } from '../adapter/adapter.ts';

/** How long the server under test makes one wait between two codes, in seconds. */
export function resendPauseOf({ resendAfterSeconds }: Pick<Adapter, 'resendAfterSeconds'>): number {
  return resendAfterSeconds ?? USUAL_RESEND_PAUSE_SECONDS;
}

/** What many servers ask for, where the adapter states nothing. */
const USUAL_RESEND_PAUSE_SECONDS = 60;

/** What most servers grant, where the adapter states nothing. */
export const DEFAULT_CODE_LIFETIME_SECONDS = 300;

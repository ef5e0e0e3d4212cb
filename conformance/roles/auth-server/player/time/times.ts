/** Default time spans of a server whose adapter file states none. */
import type { Adapter } from '../../adapter/adapter.ts';

/** The pause of the server under test between two codes, in seconds. */
export function resendPauseOf({ resendAfterSeconds }: Pick<Adapter, 'resendAfterSeconds'>): number {
  return resendAfterSeconds ?? USUAL_RESEND_PAUSE_SECONDS;
}

/** A common pause, where the adapter states none. */
const USUAL_RESEND_PAUSE_SECONDS = 60;

/** A common lifetime, where the adapter states none. */
export const DEFAULT_CODE_LIFETIME_SECONDS = 300;

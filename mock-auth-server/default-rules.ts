/** The settings of the methods unless somebody sets others: for servers without a command line. */
import { DEFAULT_RESEND_AFTER_SECONDS, DEFAULT_SESSION_TTL_MINUTES } from '#protocol/limits.ts';
import type { AuthRules } from './context.ts';

export const DEFAULT_RULES = {
  allowTestLogin: false,
  otpResendAfter: DEFAULT_RESEND_AFTER_SECONDS,
  sessionTtl: DEFAULT_SESSION_TTL_MINUTES,
  ttlUnit: 'minutes',
} satisfies Partial<AuthRules>;

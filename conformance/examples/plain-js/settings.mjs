/**
 * The settings of this server, from its environment: PORT, EHR_URL, EHR_API_VERSION, EHR_USER, EHR_PASSWORD,
 * EHR_TIMEOUT_MS, SMS_WEBHOOK, PIN_LIFETIME_SECONDS, RESEND_SECONDS, NOT_MEMBERS (mobiles without a member
 * record, separated by commas), FAULTS (names from the list below, separated by commas).
 */
const { env } = process;

export const port = Number(env.PORT ?? 4280);
export const ehr = {
  url: `${(env.EHR_URL ?? 'http://127.0.0.1:4180').replace(/\/+$/, '')}/${env.EHR_API_VERSION ?? '1.0-alpha'}/`,
  user: env.EHR_USER ?? 'auth-server',
  password: env.EHR_PASSWORD ?? '',
  timeout: Number(env.EHR_TIMEOUT_MS ?? 10_000),
};
export const smsWebhook = env.SMS_WEBHOOK ?? 'http://127.0.0.1:4181/sms';
export const pinLifetime = Number(env.PIN_LIFETIME_SECONDS ?? 300) * 1_000;
export const resendPause = Number(env.RESEND_SECONDS ?? 30) * 1_000;
export const notMembers = new Set((env.NOT_MEMBERS ?? '').split(','));
export const faults = new Set((env.FAULTS ?? '').split(',').filter(Boolean));

/** Faults of real servers, enabled by FAULTS. */
const FAULTS = ['password-in-header', 'pin-works-twice', 'logout-keeps-session', 'digest-upper-case'];
for (const name of faults) if (!FAULTS.includes(name)) throw new Error(`There is no fault ${name}.`);

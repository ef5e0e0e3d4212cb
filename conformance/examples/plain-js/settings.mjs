/**
 * Reads the settings of the plain JavaScript example, an authorization server, from environment variables:
 * PORT, EHR_URL, EHR_API_VERSION, EHR_USER, EHR_PASSWORD, EHR_TIMEOUT_MS, SMS_WEBHOOK,
 * PIN_LIFETIME_SECONDS, RESEND_SECONDS, NOT_MEMBERS (mobiles without a member record, separated by commas),
 * FAULTS (names from the list `FAULTS` in this file, separated by commas).
 */
const { env } = process;

export const port = Number(env.PORT ?? 4280);
/** The EHR server: its endpoint, the example's internal user and password, and the limit of a call (ms). */
export const ehr = {
  url: `${(env.EHR_URL ?? 'http://127.0.0.1:4180').replace(/\/+$/, '')}/${env.EHR_API_VERSION ?? '1.0-alpha'}/`,
  user: env.EHR_USER ?? 'auth-server',
  password: env.EHR_PASSWORD ?? '',
  timeout: Number(env.EHR_TIMEOUT_MS ?? 10_000),
};
/** The address to which the example posts its text messages. */
export const smsWebhook = env.SMS_WEBHOOK ?? 'http://127.0.0.1:4181/sms';
/** How long a one-time code (here: PIN) can be used, in ms. */
export const pinLifetime = Number(env.PIN_LIFETIME_SECONDS ?? 300) * 1_000;
/** The least time (ms) between two codes to one mobile. */
export const resendPause = Number(env.RESEND_SECONDS ?? 30) * 1_000;
/** The mobiles that have no member record, so the example has no user for them. */
export const notMembers = new Set((env.NOT_MEMBERS ?? '').split(','));
/** The faults that are enabled; the empty set is the right server. */
export const faults = new Set((env.FAULTS ?? '').split(',').filter(Boolean));

/** The names that the environment variable FAULTS may contain: faults that real servers had. */
const FAULTS = ['password-in-header', 'pin-works-twice', 'logout-keeps-session', 'digest-upper-case'];
for (const name of faults) if (!FAULTS.includes(name)) throw new Error(`There is no fault ${name}.`);

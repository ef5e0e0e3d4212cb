/** The limits and lifetimes that both sides of a call rely on. Each number stands here and nowhere else. */

/** The most characters of a token, of a signature, and of each member of a cred. Ours have 43. */
export const MAX_TOKEN_CHARS = 512;

/** The lifetime of an exchange token: ten minutes (§2.4). */
export const EXCHANGE_TOKEN_LIFETIME_MS = 10 * 60_000;

/** After this many failed matches an exchange token is unusable (decision 13). */
export const MAX_FAILED_MATCHES = 5;

/** Only this many exchange tokens of a session work: the newest ones (decision 36). */
export const MAX_PENDING_EXCHANGE_TOKENS = 5;

/** How long a failed match counts for its user and its phone (decision 37). */
export const FAILED_MATCH_WINDOW_MS = 60 * 60_000;

/** The most failed matches of a user, and of a phone, within this time, unless the settings say otherwise. */
export const DEFAULT_FAILED_MATCHES_PER_HOUR = 20;

/** The longest lifetime of a session, unless the settings say otherwise: ten years (decision 9). */
export const DEFAULT_MAX_SESSION_LIFETIME_MS = 3_652.5 * 86_400_000;

/** The lifetime that the mock authorization server gives a session: a day, in the unit of a ttl. */
export const DEFAULT_SESSION_TTL_MINUTES = 1_440;

/** Milliseconds in each unit of a ttl (decision 9). */
export const TTL_UNIT_MS = { minutes: 60_000, seconds: 1_000 } as const;

/** The length of a one-time code. */
export const CODE_DIGITS = 6;

/** The lifetime of a one-time code: five minutes. */
export const CODE_LIFETIME_MS = 5 * 60_000;

/** A one-time code is exhausted after this many wrong ones. */
export const MAX_WRONG_CODES = 5;

/** How long a sent code counts for the limit of its phone or e-mail address: a day. */
export const CODE_WINDOW_MS = 86_400_000;

/** The most codes to one phone or e-mail address within this time, unless the settings say otherwise. */
export const DEFAULT_CODES_PER_DAY = 50;

/** The seconds between two codes to one phone or e-mail address, unless the settings say otherwise. */
export const DEFAULT_RESEND_AFTER_SECONDS = 30;

/**
 * What the parts of this authorization server share: constants, refusals, accounts, digests, reading of
 * streams.
 */
import { createHash } from 'node:crypto';

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;
/** A fault waits this long (ms), so that simultaneous requests meet in the middle of it. */
export const SLOW_PART_MS = 100;
/** The numbers with which the EHR server says that a token or an exchange token is stored already. */
export const ALREADY_STORED = { token: -34003, exchangeToken: -34004 };
/** Limits the tokens drawn for one call: the EHR server may answer that a token is stored already. */
export const MAX_DRAWS = 3;

/** A refusal to the client, with its HTTP status. Only faults send `detail`, which must stay secret. */
export class Refusal extends Error {
  constructor(problem, { status, cause, detail }) {
    super(problem, { cause });
    this.status = status;
    this.detail = detail;
  }
}

/**
 * The account of a registered phone; undefined for any other. `member` is its id in the correspondence table
 * (undefined: no entry), `sign` the user_sign of its link, and `removals` counts its deletions.
 */
export function accountOf({ state, options, random }, phone) {
  const isMember = options.phones.some((one) => new RegExp(`^${one.replaceAll('#', '\\d')}$`).test(phone));
  const isNoMember = options.notMembers.includes(phone);
  if (!isMember && !isNoMember) return undefined;
  if (!state.accounts.has(phone)) {
    const member = isNoMember ? undefined : `M-${state.accounts.size + 1}`;
    state.accounts.set(phone, { phone, id: random.user?.() ?? `acc-${random.token()}`, member, removals: 0 });
  }
  return state.accounts.get(phone);
}

/** Ends all sessions of a phone. */
export function endSessions({ sessions }, phone) {
  for (const [key, session] of sessions) if (session.phone === phone) sessions.delete(key);
}

/** Ends all codes of a phone. */
export function forgetChallenges({ challenges }, phone) {
  for (const [key, sent] of challenges) if (sent.phone === phone) challenges.delete(key);
}

/** Forgets the counted wrong guesses of all but the newest challenges; only a fault does. */
export function forgetTries({ challenges }) {
  for (const sent of [...challenges.values()].slice(0, -MAX_COUNTED)) sent.tries = 0;
}

/** Limits the challenges whose tries a fault keeps. */
const MAX_COUNTED = 5;

export const digestOf = (text) => createHash('sha256').update(text).digest();
/**
 * The key under which a session is kept: a digest of the bearer, so that the stored state opens no session.
 */
export const keyOf = (bearer, { fault }) => {
  const whole = fault('last-character-not-compared') ? bearer.slice(0, -1) : bearer;
  const part = fault('session-by-prefix') ? bearer.slice(0, 8) : whole;
  return digestOf(fault('session-in-any-case') ? part.toLowerCase() : part).toString('base64');
};
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a stream to its end as text; refuses more than `limit` bytes. */
export async function readAll(stream, limit) {
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > limit) throw new Refusal('too_large', { status: 413 });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

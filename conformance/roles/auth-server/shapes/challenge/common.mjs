/** Shared by the parts of this server: constants, refusals, accounts, digests, and reading of streams. */
import { createHash } from 'node:crypto';

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;
/** Delay (ms) of the slow parts of faults: longer than the arrival of simultaneous requests takes. */
export const SLOW_PART_MS = 100;
/** Error codes of the EHR server. */
export const ALREADY_STORED = { token: -34003, exchangeToken: -34004 };
/** Limits the tokens drawn when the EHR server says that one is stored already. */
export const MAX_DRAWS = 3;

/** Answered to the client instead of a success. Only faults tell `detail`. */
export class Refusal extends Error {
  constructor(problem, { status, cause, detail }) {
    super(problem, { cause });
    this.status = status;
    this.detail = detail;
  }
}

/** The account of a registered phone. Without a member record it has no correspondence entry. */
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

export function endSessions({ sessions }, phone) {
  for (const [key, session] of sessions) if (session.phone === phone) sessions.delete(key);
}

export function forgetChallenges({ challenges }, phone) {
  for (const [key, sent] of challenges) if (sent.phone === phone) challenges.delete(key);
}

/** Forgets the tries of all challenges but the newest ones. */
export function forgetTries({ challenges }) {
  for (const sent of [...challenges.values()].slice(0, -MAX_COUNTED)) sent.tries = 0;
}

/** Limits the challenges whose tries a fault keeps. */
const MAX_COUNTED = 5;

export const digestOf = (text) => createHash('sha256').update(text).digest();
/** The key of a session: what is stored opens nothing. */
export const keyOf = (bearer, { fault }) => {
  const whole = fault('last-character-not-compared') ? bearer.slice(0, -1) : bearer;
  const part = fault('session-by-prefix') ? bearer.slice(0, 8) : whole;
  return digestOf(fault('session-in-any-case') ? part.toLowerCase() : part).toString('base64');
};
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The whole of a stream as text, at most `limit` bytes. */
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

/** What the parts of this server share: its numbers, its refusal, accounts, digests, and reading of what comes in. */
import { createHash } from 'node:crypto';

export const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;
/** How long the slow parts of the faults take: longer than requests that are sent at once take to arrive. */
export const SLOW_MS = 100;
/** Error codes of the EHR server. */
export const ALREADY_STORED = { token: -34003, exchangeToken: -34004 };
/** How many tokens are drawn in all when the EHR server says that one is stored already. */
export const MAX_DRAWS = 3;

/** What the client is answered with in place of a success. `detail` is told by faults alone. */
export class Refusal extends Error {
  constructor(problem, { status, cause, detail }) {
    super(problem, { cause });
    this.status = status;
    this.detail = detail;
  }
}

/** The account of a registered phone. An account without a member record has no entry in the correspondence table. */
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

export const digestOf = (text) => createHash('sha256').update(text).digest();
/** Under what a session is kept: what is stored opens nothing. */
export const keyOf = (bearer, { fault }) => {
  const part = fault('session-by-prefix') ? bearer.slice(0, 8) : bearer;
  return digestOf(fault('session-in-any-case') ? part.toLowerCase() : part).toString('base64');
};
export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The whole of a stream as text, at most `limit` bytes. */
export async function readAll(stream, limit, { firstChunkOnly = false } = {}) {
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > limit) throw new Refusal('too_large', { status: 413 });
    chunks.push(chunk);
    if (firstChunkOnly) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}

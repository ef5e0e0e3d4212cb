/** Makes a confirmed user, and opens a session; for a linked user, at the EHR server too (§1). */
import { TTL_UNIT_MS } from '#protocol/limits.ts';
import { randomToken } from '#protocol/time/random.ts';
import { errorTable, RpcError } from '#protocol/wire/errors.ts';
import { hashToken } from '#protocol/wire/hashes.ts';
import { phoneKey } from '#protocol/wire/matching.ts';
import type { Caller, Context } from './context.ts';
import { type AuthInfo, ehrRefused } from './ehr/ehr-client.ts';
import type { Entry, Identity } from './store/store.ts';

type SignIn = {
  user: string;
  /** The user_sign of the call, if it has one. It wins over the one on record. */
  userSign: string | null | undefined;
  /** Runs in the transaction that opens the session. If it throws, no session is opened. */
  before?: () => void;
};

type SignedIn = { authInfo: AuthInfo; linked: boolean };

/** The most tokens to draw when the EHR server answers that the token is stored already. */
const MAX_DRAWN_TOKENS = 3;

/** The client gets a session only if the EHR server has saved it, or rejects the signature (decision 34). */
export async function signIn(context: Context, { user, userSign, before }: SignIn): Promise<SignedIn> {
  const { store } = context;
  const entry = store.directory.entryOf(user);
  const sign = userSign ?? entry?.userSign ?? undefined;
  if (sign === undefined) {
    const authInfo = newAuthInfo(context, user);
    store.atomically(() => {
      before?.();
      openSession(context, authInfo, entry);
    });
    return { authInfo, linked: false };
  }
  if (!entry) throw noEntry();
  const saved = await saveAtEhr(context, user, sign);
  const authInfo = saved ?? newAuthInfo(context, user);
  store.atomically(() => {
    before?.();
    openSession(context, authInfo, entry);
    if (saved || entry.userSign === sign)
      store.directory.replaceUserSign(user, entry.userSign, saved ? sign : null);
  });
  return { authInfo, linked: saved !== undefined };
}

/** The error for a user without an entry in this server's correspondence table (§7, decision 18). */
export function noEntry(): RpcError {
  return new RpcError('user_unknown', {
    errors: ['The correspondence table of the authorization server has no entry for this user.'],
  });
}

/** The error codes of the EHR server for a link that it does not know, or not by this signature. */
const LINK_GONE_CODES: readonly number[] = [errorTable.user_unknown.code, errorTable.not_authorized.code];

/** Save a session at the EHR server and return it. Undefined: the EHR server rejects the signature. */
async function saveAtEhr(context: Context, user: string, sign: string): Promise<AuthInfo | undefined> {
  for (let drawn = 1; ; drawn++) {
    const authInfo = newAuthInfo(context, user);
    const refusal = await context.ehr.saveAuthInfo(authInfo, sign);
    if (!refusal) return authInfo;
    if (LINK_GONE_CODES.includes(refusal.code)) return undefined;
    // The new token equals a stored one (decision 38).
    if (refusal.code !== errorTable.token_already_stored.code || drawn === MAX_DRAWN_TOKENS)
      throw ehrRefused(refusal);
  }
}

function newAuthInfo({ random, config }: Context, user: string): AuthInfo {
  return { user, token: randomToken(random), ttl: config.sessionTtl };
}

function openSession(
  { store, clock, config }: Context,
  { user, token, ttl }: AuthInfo,
  entry: Entry | undefined,
): void {
  // A test login has no code that would be removed with its user, so a deleted user is noticed here.
  if (!store.directory.identityOf(user)) throw noEntry();
  const createdAt = clock.now();
  const expiresAt = createdAt + ttl * TTL_UNIT_MS[config.ttlUnit];
  store.sessions.add({
    tokenHash: hashToken(token),
    user,
    internalId: entry?.internalId,
    createdAt,
    expiresAt,
  });
}

const ID_BYTES = 16;

/** The public user id is the same at every sign-in. A new user gets an entry unless the settings deny it. */
export function ensureUser({ store, random, clock, config }: Context, identity: Identity): string {
  const user = identity.kind === 'login' ? identity.value : `u-${randomToken(random, ID_BYTES)}`;
  const internalId = hasEntry(identity, config.withoutCorrespondence)
    ? `int-${randomToken(random, ID_BYTES)}`
    : undefined;
  return store.atomically(() => store.directory.ensureUser({ user, identity, internalId, now: clock.now() }));
}

/** A test login may be named by a phone as well. */
function hasEntry({ value }: Identity, without: readonly string[]): boolean {
  return !without.includes(phoneKey(value) ?? value.toLowerCase());
}

/** The caller's session for the EHR server. Its ttl is the remaining lifetime, rounded up, at least 1. */
export function authInfoOf(
  { clock, config }: Pick<Context, 'clock' | 'config'>,
  { user, token, expiresAt }: Caller,
): AuthInfo {
  const ttl = Math.max(1, Math.ceil((expiresAt - clock.now()) / TTL_UNIT_MS[config.ttlUnit]));
  return { user, token, ttl };
}

/** Opening a session for a user whose identity is confirmed; directly at the EHR server too when he is linked (§1 rules 1, 6 and 7). */
import { errorTable, RpcError } from '#protocol/errors.ts';
import { randomToken } from '#protocol/random.ts';
import { ttlUnitMs } from './config.ts';
import { type Context, hashToken } from './context.ts';
import { type AuthInfo, ehrRefused } from './ehr-client.ts';
import type { Entry } from './store/directory.ts';

export type SignIn = {
  user: string;
  /** user_sign in the call, if there is one; it wins over the one on record. */
  userSign: string | null | undefined;
  /** Runs in the transaction that opens the session; what it throws opens none. */
  before?: () => void;
};

export type SignedIn = { authInfo: AuthInfo; linked: boolean };

/** A new token is drawn this often in all when the EHR server says that the token is stored. */
const MAX_TOKENS = 3;

/**
 * Signs a user in. With a known user_sign the session is saved at the EHR server first, and given to the client only
 * after that has succeeded; a signature that the EHR server accepted is kept on record. When the EHR server does not
 * honour the signature, the user is signed in unlinked, and that signature is forgotten if it stands on record (decision 34).
 * @throws RpcError `user_unknown` when a session is to be recorded and the user has no correspondence entry;
 *   `ehr_unreachable`, `ehr_timeout`, `ehr_bad_reply`, `ehr_refused`. No session is open then.
 */
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
    if (saved || entry.userSign === sign) store.directory.replaceUserSign(user, entry.userSign, saved ? sign : null);
  });
  return { authInfo, linked: saved !== undefined };
}

/** The error for a user who is missing in this server's correspondence table (§7, decision 18). */
export function noEntry(): RpcError {
  return new RpcError('user_unknown', {
    errors: ['The correspondence table of the authorization server has no entry for this user.'],
  });
}

/** The codes with which the EHR server says that it does not know the link, or not by this signature. */
const LINK_GONE_CODES: readonly number[] = [errorTable.user_unknown.code, errorTable.not_authorized.code];

/** The session as the EHR server has saved it; undefined when it does not honour the signature (any more). */
async function saveAtEhr(context: Context, user: string, sign: string): Promise<AuthInfo | undefined> {
  for (let drawn = 1; ; drawn++) {
    const authInfo = newAuthInfo(context, user);
    const refusal = await context.ehr.saveAuthInfo(authInfo, sign);
    if (!refusal) return authInfo;
    if (LINK_GONE_CODES.includes(refusal.code)) return undefined;
    // A new session's token clashes with one that is stored (decision 38).
    if (refusal.code !== errorTable.token_already_stored.code || drawn === MAX_TOKENS) throw ehrRefused(refusal);
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
  // A test login has no code that falls with its user, so a user deleted meanwhile is noticed here.
  if (!store.directory.identityOf(user)) throw noEntry();
  const createdAt = clock.now();
  const expiresAt = createdAt + ttl * ttlUnitMs(config);
  store.sessions.add({ tokenHash: hashToken(token), user, internalId: entry?.internalId, createdAt, expiresAt });
}

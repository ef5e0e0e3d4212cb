/** Verifying credentials (§5): digests of the authorization server, and sessions of the client. */
import { digest } from '#protocol/digest.ts';
import { RpcError } from '#protocol/errors.ts';
import type { Cred, CredKind } from '#protocol/method-spec.ts';
import { type Caller, type Context, hashToken, sameText } from './context.ts';
import { linkDecoys, sessionDecoys } from './decoys.ts';

/**
 * Verifies `cred` for a call whose cred and params have the right shape.
 * @throws RpcError `not_authorized`; `session_expired` for a session past its ttl; `user_unknown` for a save for a user
 *   without an entry in the correspondence table
 */
export type Verifier = (kind: CredKind, cred: Cred, params: Record<string, unknown>) => Promise<Caller>;

const NOBODY: Caller = { user: '', tokenHash: Buffer.alloc(0), userSign: '' };

/** Where nothing is stored, a part of what was sent is compared, about as long as what would be. */
const USER_LENGTH = 10;
const SIGN_LENGTH = 43;
/** A refusal computes up to 32 hashes more, as many as a random byte holds this. */
const BLINDING = 8;

/**
 * Builds the verifier of one server. Refusals that say the same take the same work, so that their time tells no more
 * than they do (decision note 46): every comparison is made whatever an earlier one gave, and a lookup that found
 * something is followed by one that finds nothing, and the other way round.
 */
export function createVerifier(context: Context): Verifier {
  const { store, clock, config } = context;
  const sessions = sessionDecoys(store);
  const links = linkDecoys(store);

  async function verifySession(cred: Cred): Promise<Caller> {
    const tokenHash = hashToken(cred.token);
    const session = await store.findSession(tokenHash);
    const rightUser = sameText(session ? session.user : cred.token.slice(0, USER_LENGTH), cred.user);
    if (!session || !rightUser) {
      await sessions.balance(tokenHash, session !== undefined);
      blind(cred.token);
      throw new RpcError('not_authorized');
    }
    if (clock.now() >= session.expiresAt) throw new RpcError('session_expired');
    return { ...NOBODY, user: session.user, tokenHash };
  }

  async function verifyUserSign(cred: Cred, user: string): Promise<Caller> {
    const rightCaller = sameText(cred.user, config.internalUser);
    const link = await store.findLink(user);
    const rightDigest = isDigest(cred.token, link ? link.userSign : cred.token.padEnd(SIGN_LENGTH));
    if (rightCaller && link && rightDigest) return { ...NOBODY, user, userSign: link.userSign };
    await links.balance(user, link !== undefined);
    blind(cred.token);
    // Without a link there is no signature, hence no digest that could be right.
    throw new RpcError(rightCaller && !link ? 'user_unknown' : 'not_authorized');
  }

  function verifyExchangeToken(cred: Cred, exchangeToken: string): Caller {
    const rightCaller = sameText(cred.user, config.internalUser);
    const rightDigest = isDigest(cred.token, exchangeToken);
    if (!rightCaller || !rightDigest) throw new RpcError('not_authorized');
    return NOBODY;
  }

  /** Hides in some microseconds of chance what no two lookups have in common: where in memory they end. */
  function blind(token: string): void {
    for (let [rounds = 0] = context.random(1); rounds >= BLINDING; rounds -= BLINDING) hashToken(token);
  }

  const isDigest = (token: string, secret: string) => sameText(token, digest(config.internalPassword, secret));

  return async (kind, cred, params) => {
    switch (kind) {
      case 'none':
        return NOBODY;
      case 'session':
        return verifySession(cred);
      case 'exchange_token_digest':
        return verifyExchangeToken(cred, params.exchangeToken as string);
      case 'user_sign_digest':
        return verifyUserSign(cred, (params.authInfo as { user: string }).user);
    }
  };
}

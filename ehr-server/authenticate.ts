/** Verifying credentials (§5): digests of the authorization server, and sessions of the client. */
import { type Reason, RpcError } from '#protocol/errors.ts';
import { type MaybePromise, whenKnown } from '#protocol/maybe-promise.ts';
import type { Cred, CredKind } from '#protocol/method-spec.ts';
import { type Caller, type Context, digestOf, hashToken, sameText } from './context.ts';
import { linkDecoys, sessionDecoys } from './decoys.ts';

/**
 * Verifies `cred` for a call whose cred and params have the right shape.
 * @throws RpcError `not_authorized`; `session_expired` for a session past its ttl; `user_unknown` for a save for a user
 *   without an entry in the correspondence table
 */
export type Verifier = (kind: CredKind, cred: Cred, params: Record<string, unknown>) => MaybePromise<Caller>;

const NO_TOKEN = Buffer.alloc(0);
const NOBODY: Caller = { link: { user: '', patientId: '', userSign: '' }, tokenHash: NO_TOKEN };

/** Where nothing is stored, a part of what was sent is compared, about as long as what would be. */
const USER_LENGTH = 10;
const SIGN_LENGTH = 43;
/** A refusal computes up to 63 hashes more, as many as a random byte holds this. */
const BLINDING = 4;

/**
 * Builds the verifier of one server. Refusals that say the same take the same work, so that their time tells no more
 * than they do (decision note 46): every comparison is made whatever an earlier one gave, and a lookup that found
 * something is followed by one that finds nothing, and the other way round.
 */
export function createVerifier(context: Context): Verifier {
  const { store, clock, config } = context;
  const sessions = sessionDecoys(store);
  const links = linkDecoys(store);

  function verifySession(cred: Cred): MaybePromise<Caller> {
    const tokenHash = hashToken(cred.token);
    return whenKnown(store.findSession(tokenHash), (session): MaybePromise<Caller> => {
      const standIn = cred.token.slice(0, USER_LENGTH);
      const rightUser = sameText(session ? session.link.user : standIn, cred.user);
      if (!session || !rightUser) {
        return whenKnown(sessions.balance(tokenHash, session !== undefined), () => refuse(cred, 'not_authorized'));
      }
      if (clock.now() >= session.expiresAt) throw new RpcError('session_expired');
      return { link: session.link, tokenHash };
    });
  }

  function verifyUserSign(cred: Cred, user: string): MaybePromise<Caller> {
    const rightCaller = sameText(cred.user, config.internalUser);
    return whenKnown(store.findLink(user), (link): MaybePromise<Caller> => {
      const rightDigest = isDigest(cred.token, link ? link.userSign : cred.token.padEnd(SIGN_LENGTH));
      if (rightCaller && link && rightDigest) return { link, tokenHash: NO_TOKEN };
      // Without a link there is no signature, hence no digest that could be right.
      const reason = rightCaller && !link ? 'user_unknown' : 'not_authorized';
      return whenKnown(links.balance(user, link !== undefined), () => refuse(cred, reason));
    });
  }

  function verifyExchangeToken(cred: Cred, exchangeToken: string): Caller {
    const rightCaller = sameText(cred.user, config.internalUser);
    const rightDigest = isDigest(cred.token, exchangeToken);
    return rightCaller && rightDigest ? NOBODY : refuse(cred, 'not_authorized');
  }

  /** Refuses after some microseconds of chance, which hide what no two lookups have in common: where in memory they end. */
  function refuse({ token }: Cred, reason: Reason): never {
    for (let [rounds = 0] = context.random(1); rounds >= BLINDING; rounds -= BLINDING) hashToken(token);
    throw new RpcError(reason);
  }

  const isDigest = (token: string, secret: string) => sameText(token, digestOf(config.internalPassword, secret));

  return (kind, cred, params) => {
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

/** Verifies credentials (§5): digests of the authorization server, and sessions of the client. */

import { type MaybePromise, whenKnown } from '#protocol/methods/maybe-promise.ts';
import type { Cred, CredKind } from '#protocol/methods/method-spec.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { digest } from '#protocol/wire/hashes/digest.ts';
import { hashToken, sameText } from '#protocol/wire/hashes/secrets.ts';
import type { Caller, Context } from './context.ts';

/**
 * Verify `cred` for a call whose cred and params have the right shape.
 * @throws RpcError `not_authorized`; `session_expired` for a session past its ttl; `user_unknown` for a save
 *   for a user without an entry in the correspondence table
 */
export type Verifier = (kind: CredKind, cred: Cred, params: Record<string, unknown>) => MaybePromise<Caller>;

const NO_TOKEN = new Uint8Array(0);
const NOBODY: Caller = { link: { user: '', patientId: '', userSign: '' }, tokenHash: NO_TOKEN };

/** Create the verifier of one server. */
export function createVerifier({
  store,
  clock,
  config,
}: Pick<Context, 'store' | 'clock' | 'config'>): Verifier {
  const isInternal = (cred: Cred) => sameText(cred.user, config.internalUser);
  const isDigest = (cred: Cred, secret: string) =>
    sameText(cred.token, digest(config.internalPassword, secret));

  function verifySession(cred: Cred): MaybePromise<Caller> {
    const tokenHash = hashToken(cred.token);
    return whenKnown(store.findSession(tokenHash), (session): Caller => {
      if (session?.link.user !== cred.user) throw new RpcError('not_authorized');
      if (clock.now() >= session.expiresAt) throw new RpcError('session_expired');
      return { link: session.link, tokenHash };
    });
  }

  function verifyUserSign(cred: Cred, user: string): MaybePromise<Caller> {
    if (!isInternal(cred)) throw new RpcError('not_authorized');
    return whenKnown(store.findLink(user), (link): Caller => {
      if (!link) throw new RpcError('user_unknown');
      if (!isDigest(cred, link.userSign)) throw new RpcError('not_authorized');
      return { link, tokenHash: NO_TOKEN };
    });
  }

  function verifyExchangeToken(cred: Cred, exchangeToken: string): Caller {
    if (isInternal(cred) && isDigest(cred, exchangeToken)) return NOBODY;
    throw new RpcError('not_authorized');
  }

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

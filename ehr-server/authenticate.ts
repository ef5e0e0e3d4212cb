/** Verifying credentials (§5): digests of the authorization server, and sessions of the client. */
import { digest } from '#protocol/digest.ts';
import { RpcError } from '#protocol/errors.ts';
import type { Cred, CredKind } from '#protocol/method-spec.ts';
import { type Caller, type Context, hashToken, sameText } from './context.ts';

const NOBODY: Caller = { user: '', tokenHash: Buffer.alloc(0), userSign: '' };

/**
 * Verifies `cred` for a call whose cred and params have the right shape.
 * @throws RpcError `not_authorized`; `session_expired` for a session past its ttl; `user_unknown` for a save for a user
 *   without an entry in the correspondence table
 */
export async function verifyCred(
  context: Context,
  kind: CredKind,
  cred: Cred,
  params: Record<string, unknown>,
): Promise<Caller> {
  switch (kind) {
    case 'none':
      return NOBODY;
    case 'session':
      return verifySession(context, cred);
    case 'exchange_token_digest':
      verifyDigest(context, cred, params.exchangeToken as string);
      return NOBODY;
    case 'user_sign_digest': {
      if (!sameText(cred.user, context.config.internalUser)) throw new RpcError('not_authorized');
      const { user } = params.authInfo as { user: string };
      const link = await context.store.findLink(user);
      // Without a link there is no signature, hence no digest that could be right.
      if (!link) throw new RpcError('user_unknown');
      verifyDigest(context, cred, link.userSign);
      return { ...NOBODY, user, userSign: link.userSign };
    }
  }
}

async function verifySession({ store, clock }: Context, cred: Cred): Promise<Caller> {
  const tokenHash = hashToken(cred.token);
  const session = await store.findSession(tokenHash);
  if (!session || !sameText(session.user, cred.user)) throw new RpcError('not_authorized');
  if (clock.now() >= session.expiresAt) throw new RpcError('session_expired');
  return { ...NOBODY, user: session.user, tokenHash };
}

function verifyDigest({ config }: Context, cred: Cred, secret: string): void {
  const rightUser = sameText(cred.user, config.internalUser);
  const rightDigest = sameText(cred.token, digest(config.internalPassword, secret));
  if (!rightUser || !rightDigest) throw new RpcError('not_authorized');
}

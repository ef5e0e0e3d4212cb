/** Verifies the credentials of a client: the user and token of a session (§5.4). */

import type { Cred, CredKind } from '#protocol/methods/method-spec.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { hashToken, sameText } from '#protocol/wire/hashes/secrets.ts';
import type { Caller, Context } from './context.ts';

const NOBODY: Caller = { user: '', token: '', tokenHash: new Uint8Array(0), expiresAt: 0 };

/** @throws RpcError `not_authorized` for an unknown, ended or foreign session; `session_expired` */
export function verifyCred(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  kind: CredKind,
  cred: Cred,
): Caller {
  if (kind === 'none') return NOBODY;
  const tokenHash = hashToken(cred.token);
  const session = store.sessions.find(tokenHash);
  if (!session || !sameText(session.user, cred.user)) throw new RpcError('not_authorized');
  if (clock.now() >= session.expiresAt) throw new RpcError('session_expired');
  return { user: session.user, token: cred.token, tokenHash, expiresAt: session.expiresAt };
}

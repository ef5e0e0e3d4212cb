/** §4.5: this one session ends. The client calls it only after the EHR server has removed the session. */
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import type { Params, Result } from '#protocol/methods/method-spec.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import type { Caller, Context } from '../../context.ts';

type Spec = (typeof authMethods)['auth.logout'];

/** @throws RpcError `not_authorized` when another call ended the session first */
export function logout(
  { store, clock }: Context,
  _params: Params<Spec>,
  { tokenHash }: Caller,
): Result<Spec> {
  if (!store.sessions.end(tokenHash, clock.now())) throw new RpcError('not_authorized');
  return {};
}

/**
 * §4.6: the user disconnects the EHR. The link, its signature and all sessions of the user end (decision 20).
 */
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { Params, Result } from '#protocol/methods/method-spec.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import type { Caller, Context } from '../../context.ts';

type Spec = (typeof ehrMethods)['embedded_storage.remove_authentication'];

/** @throws RpcError `not_authorized` when another call ended the session first */
export async function remove_authentication(
  { store, clock }: Context,
  _params: Params<Spec>,
  caller: Caller,
): Promise<Result<Spec>> {
  if (!(await store.removeUser(caller.tokenHash, caller.link.user, clock.now())))
    throw new RpcError('not_authorized');
  return {};
}

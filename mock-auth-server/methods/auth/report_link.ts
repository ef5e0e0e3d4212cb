/** §1 rule 6: the EHR server has linked the user. Record the session there and keep user_sign here. */
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import type { Params, Result } from '#protocol/methods/method-spec.ts';
import { errorTable } from '#protocol/wire/errors.ts';
import type { Caller, Context } from '../../context.ts';
import { ehrRefused } from '../../ehr/ehr-client.ts';
import { authInfoOf, noEntry } from '../../sign-in.ts';

type Spec = (typeof authMethods)['auth.report_link'];

/** @throws RpcError `user_unknown` without a correspondence entry; `ehr_…`. Nothing is kept then. */
export async function report_link(
  context: Context,
  { user_sign }: Params<Spec>,
  caller: Caller,
): Promise<Result<Spec>> {
  const { store, ehr } = context;
  if (!store.directory.entryOf(caller.user)) throw noEntry();
  const refusal = await ehr.saveAuthInfo(authInfoOf(context, caller), user_sign);
  // If the session is stored already, an earlier report recorded it and its reply was lost.
  if (refusal && refusal.code !== errorTable.token_already_stored.code) throw ehrRefused(refusal);
  if (!store.directory.keepUserSign(caller.user, user_sign)) throw noEntry();
  return {};
}

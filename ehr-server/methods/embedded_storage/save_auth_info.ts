/** §4.1: the authorization server stores, or records, the session of a linked user. */
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { Params, Result } from '#protocol/methods/method-spec.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import type { Caller, Context } from '../../context.ts';
import { newRecordId, newSession } from '../../new-session.ts';

type Spec = (typeof ehrMethods)['embedded_storage.save_auth_info'];

/** @throws RpcError `token_already_stored` or `user_unknown` */
export async function save_auth_info(
  context: Context,
  { authInfo }: Params<Spec>,
  caller: Caller,
): Promise<Result<Spec>> {
  const { store, clock, config, random } = context;
  const session = { ...newSession(authInfo, config), recordId: newRecordId(random) };
  const outcome = await store.saveSession(session, caller.link.userSign, clock.now(), {
    mayRecord: config.recordAfterAuthenticate === 'once',
  });
  if ('refused' in outcome) throw new RpcError(outcome.refused);
  return outcome;
}

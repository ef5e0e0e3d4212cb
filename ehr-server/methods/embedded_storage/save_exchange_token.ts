/** §4.2: the authorization server stores an exchange token, bound to the session that it will open. */
import type { ehrMethods } from '#protocol/ehr-methods.ts';
import { RpcError } from '#protocol/errors.ts';
import { EXCHANGE_TOKEN_LIFETIME_MS } from '#protocol/limits.ts';
import type { Params, Result } from '#protocol/method-spec.ts';
import { hashToken } from '#protocol/secrets.ts';
import type { Context } from '../../context.ts';
import { newSession } from '../../new-session.ts';
import { newRecordId } from '../../record-id.ts';

type Spec = (typeof ehrMethods)['embedded_storage.save_exchange_token'];

/** @throws RpcError `exchange_token_already_stored` or `token_already_stored` */
export async function save_exchange_token(context: Context, params: Params<Spec>): Promise<Result<Spec>> {
  const { store, clock, config, random } = context;
  const now = clock.now();
  const outcome = await store.saveExchangeToken(
    {
      hash: hashToken(params.exchangeToken),
      expiresAt: now + EXCHANGE_TOKEN_LIFETIME_MS,
      recordId: newRecordId(random),
      session: newSession(params.authInfo, config),
    },
    now,
  );
  if ('refused' in outcome) throw new RpcError(outcome.refused);
  return outcome;
}

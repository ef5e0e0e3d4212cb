/** §4.2: the authorization server stores an exchange token, bound to the session that it will open. */

import { EXCHANGE_TOKEN_LIFETIME_MS } from '#protocol/limits.ts';
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { Params, Result } from '#protocol/methods/method-spec.ts';
import { RpcError } from '#protocol/wire/errors.ts';
import { hashToken } from '#protocol/wire/hashes.ts';
import type { Context } from '../../context.ts';
import { newRecordId, newSession } from '../../new-session.ts';

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

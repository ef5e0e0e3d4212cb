/** §1 rule 4, §4.2: an exchange token is sent to the EHR server first, then to the client. */
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import type { Params, Result } from '#protocol/methods/method-spec.ts';
import { randomToken } from '#protocol/time/random.ts';
import { errorTable, RpcError } from '#protocol/wire/errors.ts';
import type { Caller, Context } from '../../context.ts';
import { ehrRefused } from '../../ehr/ehr-client.ts';
import { authInfoOf } from '../../sign-in.ts';

type Spec = (typeof authMethods)['auth.exchange_token'];

/** The most tokens to draw when the EHR server answers that the token is stored already. */
const MAX_DRAWN_TOKENS = 2;

/** @throws RpcError `ehr_…`; `not_authorized` when the session ended while the EHR server was being asked */
export async function exchange_token(
  context: Context,
  _params: Params<Spec>,
  caller: Caller,
): Promise<Result<Spec>> {
  for (let drawn = 1; ; drawn++) {
    const exchangeToken = randomToken(context.random);
    const refusal = await context.ehr.saveExchangeToken(exchangeToken, authInfoOf(context, caller));
    if (!refusal) {
      if (!context.store.sessions.find(caller.tokenHash)) throw new RpcError('not_authorized');
      return { exchangeToken };
    }
    if (refusal.code !== errorTable.exchange_token_already_stored.code || drawn === MAX_DRAWN_TOKENS)
      throw ehrRefused(refusal);
  }
}

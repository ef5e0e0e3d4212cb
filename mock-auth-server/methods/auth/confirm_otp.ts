/** §1 rule 1: the code proves ownership, and the user gets a session. */
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import type { Params, Result } from '#protocol/methods/method-spec.ts';
import type { Context } from '../../context.ts';
import { attributeOf } from '../../otp/attribute.ts';
import { ensureUser, signIn } from '../../sign-in.ts';

type Spec = (typeof authMethods)['auth.confirm_otp'];

/** Only the transaction that opens the session uses up the code: if the EHR server fails, it works again. */
export async function confirm_otp(context: Context, params: Params<Spec>): Promise<Result<Spec>> {
  const attribute = attributeOf(params);
  const claim = context.codes.claim(attribute, params.code.replace(/\s/g, ''));
  try {
    const user = ensureUser(context, attribute);
    return await signIn(context, { user, userSign: params.ehr_user_sign, before: () => claim.consume() });
  } finally {
    claim.release();
  }
}

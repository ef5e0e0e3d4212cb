/** §1 rule 8: send a one-time code to the phone or e-mail address, whether its user is known here or not. */

import { CODE_DIGITS, CODE_LIFETIME_MS } from '#protocol/limits.ts';
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import type { Params, Result } from '#protocol/methods/method-spec.ts';
import type { AuthRules, Context } from '../../context.ts';
import { type Attribute, attributeOf } from '../../otp/attribute.ts';

type Spec = (typeof authMethods)['auth.request_otp'];

/** @throws RpcError `otp_throttled`, `otp_limit_reached` */
export function request_otp(
  { store, codes, outbox, clock, config }: Context,
  params: Params<Spec>,
): Result<Spec> {
  const attribute = attributeOf(params);
  store.atomically(() => {
    const code = codes.issue(attribute);
    store.messages.add(attribute, messageText(code, attribute, config), code, clock.now());
  });
  outbox.announce();
  return { digits: CODE_DIGITS, expiresIn: CODE_LIFETIME_MS / 1_000, resendAfter: config.otpResendAfter };
}

/** On a phone the last line is that of an origin-bound one-time code, by which the phone finds its page. */
function messageText(code: string, { kind }: Attribute, { codeHost }: AuthRules): string {
  const text = `Your code is ${code}. It is valid for ${CODE_LIFETIME_MS / 60_000} minutes. Never tell it to anyone.`;
  return kind === 'phone' && codeHost ? `${text}\n@${codeHost} #${code}` : text;
}

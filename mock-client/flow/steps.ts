/** The steps as they are when one arrives there: the parts of the machine meet here and nowhere else. */
import type { Attribute, Code, ExchangeToken, Identify, Notice, SignIn } from './state.ts';

/** Where a visitor without any history begins. */
export const EMPTY_ATTRIBUTE: Attribute = { kind: 'phone', value: '' };

/** The first step, with what was typed before. */
export function signInStep(attribute: Attribute, notice?: Notice): SignIn {
  return { at: 'signIn', attribute, ...(notice && { notice }) };
}

/** The step where the code is typed; `promised` is what `auth.request_otp` answered at the time `at`. */
export function codeStep(attribute: Attribute, promised?: { digits: number; resendAfter: number }, at = 0): Code {
  return {
    at: 'code',
    attribute,
    digits: promised?.digits,
    resendAt: promised && at + promised.resendAfter * 1000,
    typed: '',
    signSent: undefined,
    linkGone: false,
  };
}

/** The empty identification form. */
export function identifyStep(
  { session, attribute }: Pick<Identify, 'session' | 'attribute'>,
  notice?: Notice,
  exchangeToken?: ExchangeToken,
): Identify {
  return {
    at: 'identify',
    session,
    attribute,
    exchangeToken,
    draft: undefined,
    ehrSession: 'none',
    ...(notice && { notice }),
  };
}

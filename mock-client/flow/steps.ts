/** The initial values of the steps. The parts of the machine refer to each other only through this file. */
import type { Attribute, Code, ExchangeToken, Identify, Notice, SignIn } from './state.ts';

/** The start of a visitor without any history. */
export const EMPTY_ATTRIBUTE: Attribute = { kind: 'phone', value: '' };

/** Returns the first step, with the attribute typed before. */
export function signInStep(attribute: Attribute, notice?: Notice): SignIn {
  return { at: 'signIn', attribute, ...(notice && { notice }) };
}

/**
 * Returns the step where the code is typed. `promised` is the answer of `auth.request_otp` at the time `at`.
 */
export function codeStep(
  attribute: Attribute,
  promised?: { digits: number; resendAfter: number },
  at = 0,
): Code {
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

/** Returns the empty identification form. */
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

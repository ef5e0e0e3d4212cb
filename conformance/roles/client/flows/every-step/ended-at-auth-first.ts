/** Finds endings at the authorization server before the EHR server has ended its part (§4.5, §4.6). */
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { EHR_METHODS, isRemoval } from '../../servers/calls.ts';

const { read, authenticate, disconnect } = EHR_METHODS;
export const AUTH_ENDINGS = ['auth.logout', 'auth.delete_user'];

export const methodOf = ({ facts }: ExchangeEntry): string => facts.call?.method ?? '';

export const isSuccess = ({ fault, facts }: ExchangeEntry): boolean =>
  fault === undefined && facts.reply?.result === true;

export const NOT_AUTHENTICATED: ReadonlySet<number> = new Set([-33000, -33001, -33002]);

/** A deletion that leaves the EHR server alone is left to the client. */
export function endedAtAuthFirst(
  { exchanges }: PlayedStep,
  before: readonly PlayedStep[],
): string | undefined {
  if (before.some(({ step }) => step.step === 'otherTab')) return undefined;
  // Whether the EHR server knows the session, as far as its answers have said until now.
  let isKnown = false;
  // Whether the client has tried in vain to end the link there: it then deletes at both servers.
  let isTried = false;
  for (const each of [...before.flatMap((played) => played.exchanges), ...exchanges]) {
    const method = methodOf(each);
    if ((method === read || method === authenticate) && isSuccess(each)) isKnown = true;
    // A refusal of the removal, or of the record, says that the EHR server knows no session.
    const isRefused = (isRemoval(method) || method === read) && hasNoSession(each);
    const isDone = isRemoval(method) && (isSuccess(each) || isOfAnotherCall(each));
    if (method === 'auth.confirm_otp' || isRefused || isDone) isKnown = false;
    if (method === disconnect) isTried = !isDone;
    if (method === 'auth.confirm_otp' || (method === authenticate && isSuccess(each))) isTried = false;
    const isOfBoth =
      method !== 'auth.delete_user' || isTried || laterIn(exchanges, each).includes(disconnect);
    if (AUTH_ENDINGS.includes(method) && isKnown && isOfBoth && exchanges.includes(each))
      return `${method} is called while the EHR server knows the session`;
  }
  return undefined;
}

/** Whether the server carried the call out, but gave another reply. Further checks judge who takes it. */
export const isOfAnotherCall = ({ fault }: ExchangeEntry): boolean =>
  fault === 'wrong-id' || fault === 'result-and-error';

const laterIn = (exchanges: readonly ExchangeEntry[], one: ExchangeEntry): string[] =>
  exchanges.slice(exchanges.indexOf(one) + 1).map(methodOf);

const hasNoSession = ({ facts }: ExchangeEntry): boolean => NOT_AUTHENTICATED.has(facts.reply?.code ?? 0);

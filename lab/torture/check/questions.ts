/** Questions about a history of calls, which the rules of `rules.ts` ask. */
import { type Call, isOk, mayHaveWorked } from './history.ts';

export type Of<M extends Call['method']> = Call & { method: M };

/** Returns the replies that show the holder of a session. */
export function holdersOf(calls: readonly Call[], token: number): { user: number; call: Call }[] {
  return calls.filter(isOk).flatMap((call): { user: number; call: Call }[] => {
    if (call.method === 'saveAuthInfo' || call.method === 'getPatient')
      return call.token === token ? [{ user: call.user, call }] : [];
    if (call.method !== 'authenticate') return [];
    const opened = openedBy(calls, call);
    return opened?.token === token ? [{ user: opened.user, call }] : [];
  });
}

/** Returns the replies that show the patient of a user's link. */
export function linksShown(calls: readonly Call[]): { user: number; patient: number; call: Call }[] {
  return calls.flatMap((call) => {
    if (call.outcome.kind !== 'ok' || call.outcome.patient === undefined) return [];
    const { patient } = call.outcome;
    const user = call.method === 'authenticate' ? openedBy(calls, call)?.user : 'user' in call ? call.user : undefined;
    return user === undefined ? [] : [{ user, patient, call }];
  });
}

/** Returns the session that an exchange token opens, if all its saves that may have worked agree on it. */
function openedBy(
  calls: readonly Call[],
  { exchange }: Of<'authenticate'>,
): { user: number; token: number } | undefined {
  const [first, ...others] = of(calls, 'saveExchangeToken').filter(
    (call) => call.exchange === exchange && mayHaveWorked(call),
  );
  const agreed = first && others.every((other) => other.user === first.user && other.token === first.token);
  return agreed ? { user: first.user, token: first.token } : undefined;
}

/** Returns the calls of authenticate that may have opened a session with this token. */
export function openingsOf(calls: readonly Call[], token: number): Call[] {
  const exchanges = new Set(
    of(calls, 'saveExchangeToken')
      .filter((call) => call.token === token)
      .map(({ exchange }) => exchange),
  );
  return of(calls, 'authenticate').filter((call) => exchanges.has(call.exchange) && mayHaveWorked(call));
}

export function couldEnd(calls: readonly Call[], token: number, user: number, until: number): boolean {
  return endingsOf(calls, token, user, until).length > 0;
}

/** Returns the calls that may have ended a session of this user with this token. */
export function endingsOf(calls: readonly Call[], token: number, user: number, until: number): Call[] {
  return calls.filter(
    (call) =>
      (call.method === 'removeAuthentication' || (call.method === 'removeAuthInfo' && call.token === token)) &&
      call.user === user &&
      mayHaveWorked(call) &&
      call.invoked < until,
  );
}

/** Tells whether five newer exchange tokens of the same session may have been saved (decision 36). */
export function couldOvertake(
  calls: readonly Call[],
  saved: Call & { method: 'saveExchangeToken' },
  until: number,
): boolean {
  const others = of(calls, 'saveExchangeToken').filter(
    ({ user, token, exchange }) => user === saved.user && token === saved.token && exchange !== saved.exchange,
  );
  const newer = others.filter((call) => mayHaveWorked(call) && call.invoked < until && call.returned > saved.invoked);
  return new Set(newer.map(({ exchange }) => exchange)).size >= 5;
}

export function couldUnlink(calls: readonly Call[], user: number, until: number): boolean {
  return of(calls, 'removeAuthentication').some(
    (call) => call.user === user && mayHaveWorked(call) && call.invoked < until,
  );
}

export function isSessionCall(
  call: Call,
): call is Call & { method: 'getPatient' | 'removeAuthInfo' | 'removeAuthentication' } {
  return call.method === 'getPatient' || call.method === 'removeAuthInfo' || call.method === 'removeAuthentication';
}

export function of<M extends Call['method']>(calls: readonly Call[], method: M): Of<M>[] {
  return calls.filter((call): call is Of<M> => call.method === method);
}

export function reasonOf({ outcome }: Call): string | undefined {
  return outcome.kind === 'refused' ? outcome.reason : undefined;
}

/** Returns the tokens, or the exchange tokens, that the calls name. */
export function numbersOf(calls: readonly Call[], what: 'token' | 'exchange'): number[] {
  return [...new Set(calls.flatMap((call) => (call as { token?: number; exchange?: number })[what] ?? []))];
}

export function pairs<T>(items: readonly T[]): [T, T][] {
  return items.flatMap((a, index) => items.slice(index + 1).map((b): [T, T] => [a, b]));
}

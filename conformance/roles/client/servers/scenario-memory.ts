/** Remembers what the kit's servers gave to the client in one scenario, and what the person typed. */
import { isObject, membersOf } from '#protocol/wire/envelope.ts';
import { writeJson } from '#protocol/wire/json.ts';
import type { Action, FormValues } from '../drivers/driver.ts';
import { ownerOf, type PersonName } from '../people/people.ts';
import { type Callee, callIn, digitsOf, EHR_METHODS, ENDINGS, NOT_AUTHENTICATED } from './calls.ts';

type HandedSession = { user: string; token: string };
type Signs = { current: string | undefined; former: Set<string> };

export type Known = ReturnType<ScenarioMemory['known']>;

export class ScenarioMemory {
  readonly typed: FormValues[] = [];
  readonly codes = new Set<string>();
  /** The body of the first success of each method, which the trouble `replayed` sends once more. */
  readonly earlierReplies = new Map<string, string>();
  served: PersonName | undefined;
  readonly #exchangeTokens = new Set<string>();
  /** Exchange tokens of all sessions, which no screen may show. */
  readonly #allTokens = new Set<string>();
  readonly #signs = new Set<string>();
  /** The user_signs of each person. The key is the phone of the sign-in, in digits. */
  readonly #signsOf = new Map<string, Signs>();
  readonly #refusals = new Set<string>();
  readonly #usedCodes = new Set<string>();
  /** Whether the person has two tabs, each with the session of its own sign-in. */
  hasTabs = false;
  #session: HandedSession | undefined;
  #phone = '';
  readonly #earlier: HandedSession[] = [];
  readonly #ended: Record<Callee, Set<unknown>> = { auth: new Set(), ehr: new Set() };

  known(to: Callee) {
    return {
      session: this.#session,
      /** Of earlier sign-ins; the client may still end them at this server. */
      endableSessions: this.#earlier.filter(({ token }) => !this.#ended[to].has(token)),
      exchangeTokens: this.#exchangeTokens,
      signs: this.#signs as ReadonlySet<string>,
      /** Undefined: this phone was given no user_sign. */
      signsOf: (phone: string) => this.#signsOf.get(digitsOf(phone)),
      typed: this.typed,
      codes: this.codes,
      refusals: this.#refusals as ReadonlySet<string>,
      /** Sessions that are over, and used codes. One tab does not know what the other one did. */
      over: this.hasTabs ? new Set<unknown>() : new Set<unknown>([...this.#ended.auth, ...this.#usedCodes]),
    };
  }

  secrets(): ReadonlyMap<string, string> {
    const sessions = [...this.#earlier, ...(this.#session ? [this.#session] : [])];
    return new Map([
      ...sessions.map(({ token }) => [token, 'a session token'] as const),
      ...[...this.#allTokens].map((token) => [token, 'an exchange token'] as const),
      ...[...this.#signs].map((sign) => [sign, 'a user_sign'] as const),
    ]);
  }

  note(action: Action): void {
    if (action.do === 'otherTab') this.hasTabs = true;
    if (action.do === 'fillForm') this.typed.push(action.values);
    if (action.do !== 'enterCode') return;
    this.codes.add(action.code);
    // The person types an old code again where no new one has come.
    this.#usedCodes.delete(action.code);
  }

  learn(body: string): void {
    const result = callIn(body)?.result;
    if (!isObject(result)) return;
    const { authInfo, exchangeToken, user_sign, userSign } = result;
    if (isObject(authInfo)) this.#begin({ user: String(authInfo.user), token: String(authInfo.token) });
    if (typeof exchangeToken === 'string') {
      this.#exchangeTokens.add(exchangeToken);
      this.#allTokens.add(exchangeToken);
    }
    for (const sign of [user_sign, userSign]) if (typeof sign === 'string') this.#signs.add(sign);
  }

  /** Makes a session the newest one. A reply that is sent twice begins nothing. */
  #begin(session: HandedSession): void {
    // The client cannot know that a session is over which it is given again.
    this.#ended.auth.delete(session.token);
    if (session.token === this.#session?.token) return;
    if (this.#session) this.#earlier.push(this.#session);
    // An exchange token belongs to the session that asked for it; the other tab still has its own.
    if (!this.hasTabs) this.#exchangeTokens.clear();
    this.#session = session;
  }

  /** Draws conclusions from an answer that the client could understand: what is over, what is kept. */
  conclude(to: Callee, requestBody: string, replyBody: string): void {
    const { method, params, cred } = callIn(requestBody) ?? {};
    const { result, error } = callIn(replyBody) ?? {};
    const given = membersOf(params);
    if (isObject(result) && !this.earlierReplies.has(String(method)))
      this.earlierReplies.set(String(method), replyBody);
    if (method === 'auth.confirm_otp' && isObject(result)) {
      this.#phone = digitsOf(String(given.phone ?? ''));
      this.#usedCodes.add(String(given.code));
      if (!this.hasTabs) this.served = undefined;
    }
    if (method === EHR_METHODS.read && isRefusal(error)) this.served = undefined;
    if (method === EHR_METHODS.authenticate && isObject(error)) this.#learnRefusal(error);
    if (method === EHR_METHODS.disconnect && isObject(result)) this.#endLink();
    if (ENDINGS.has(method) && isObject(result) && isObject(cred)) this.#endSession(to, cred.token);
    if (!isObject(result) || result.patient === undefined) return;
    this.served = ownerOf(writeJson(result.patient));
    const sign = result.user_sign ?? result.userSign;
    if (typeof sign === 'string') this.#keepSign(sign);
  }

  #learnRefusal({ code, message, data }: Record<string, unknown>): void {
    for (const text of [code, message, isObject(data) && data.reason])
      if (text) this.#refusals.add(String(text));
  }

  #endSession(at: Callee, token: unknown): void {
    this.#ended[at].add(token);
    if (at === 'ehr' && token === this.#session?.token) this.served = undefined;
  }

  #keepSign(sign: string): void {
    const { current, former } = this.#signsOf.get(this.#phone) ?? { current: undefined, former: new Set() };
    if (current !== undefined && current !== sign) former.add(current);
    this.#signsOf.set(this.#phone, { current: sign, former });
  }

  #endLink(): void {
    const signs = this.#signsOf.get(this.#phone);
    if (!signs) return;
    if (signs.current !== undefined) signs.former.add(signs.current);
    signs.current = undefined;
  }
}

const isRefusal = (error: unknown): boolean => isObject(error) && NOT_AUTHENTICATED.has(error.code);

/** Remembers what the servers handed to a client, so that its later messages can be compared with it. */
import { isObject } from '#protocol/wire/envelope.ts';
import type { Action, FormValues } from '../drivers/driver.ts';
import { ownerOf, type PersonName } from '../people/people.ts';
import { callIn, digitsOf, EHR_METHODS, ENDINGS } from './calls.ts';
import type { Callee } from './message-fault.ts';

type HandedSession = { user: string; token: string };
/** The signatures that were given to one person: the newest, and those whose link is over. */
type Signs = { current: string | undefined; former: Set<string> };

export type Known = ReturnType<Handed['known']>;

export class Handed {
  readonly typed: FormValues[] = [];
  readonly codes = new Set<string>();
  /** The first success of each method. */
  readonly earlierReplies = new Map<string, string>();
  /** The person whose record the EHR server gave last to the session of now. */
  served: PersonName | undefined;
  readonly #exchangeTokens = new Set<string>();
  readonly #spentTokens = new Set<string>();
  readonly #allTokens = new Set<string>();
  readonly #signs = new Set<string>();
  readonly #signsOf = new Map<string, Signs>();
  readonly #open: Record<Callee, Set<string>> = { auth: new Set(), ehr: new Set() };
  /** Whether the person has two tabs, each with the session of its own sign-in. */
  hasTabs = false;
  #session: HandedSession | undefined;
  #phone = '';
  readonly #earlier: HandedSession[] = [];
  /** Tokens of sessions that have ended at a server. */
  readonly #ended: Record<Callee, Set<unknown>> = { auth: new Set(), ehr: new Set() };

  /** What a message to this server is compared with. */
  known(to: Callee) {
    return {
      session: this.#session,
      /** Sessions of earlier sign-ins that the client may use besides. */
      otherSessions: this.hasTabs ? this.#earlier : [],
      /** Sessions of earlier sign-ins, which the client may still end. */
      endableSessions: this.#earlier.filter(({ token }) => !this.#ended[to].has(token)),
      exchangeTokens: this.#exchangeTokens,
      /** Exchange tokens of which an answer has said that they lead to nothing any more. */
      spentTokens: this.hasTabs ? new Set<string>() : this.#spentTokens,
      signs: this.#signs as ReadonlySet<string>,
      signsOf: (phone: string) => this.#signsOf.get(digitsOf(phone)),
      typed: this.typed,
      codes: this.codes,
      /** Ids of the calls of this link that are not answered yet. */
      openIds: this.#open[to],
    };
  }

  /** Texts that no screen may show, by name. */
  secrets(): ReadonlyMap<string, string> {
    const sessions = [...this.#earlier, ...(this.#session ? [this.#session] : [])];
    return new Map([
      ...sessions.map(({ token }) => [token, 'a session token'] as const),
      ...[...this.#allTokens].map((token) => [token, 'an exchange token'] as const),
      ...[...this.#signs].map((sign) => [sign, 'a user_sign'] as const),
    ]);
  }

  /** Notes what a person does, before the client calls a server. */
  note(action: Action): void {
    if (action.do === 'otherTab') this.hasTabs = true;
    if (action.do === 'fillForm') this.typed.push(action.values);
    if (action.do === 'enterCode') this.codes.add(action.code);
  }

  /** Notes that a call of this id waits for its answer, until {@link close}. */
  open(to: Callee, id: unknown): void {
    this.#open[to].add(JSON.stringify(id ?? null));
  }

  close(to: Callee, id: unknown): void {
    this.#open[to].delete(JSON.stringify(id ?? null));
  }

  /** Learns the session, the exchange token and the signature of a reply. */
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

  #begin(session: HandedSession): void {
    if (session.token === this.#session?.token) return;
    if (this.#session) this.#earlier.push(this.#session);
    // An exchange token is for the session that asked for it.
    if (!this.hasTabs) this.#exchangeTokens.clear();
    this.#session = session;
  }

  /** Draws conclusions from an answer that has reached the client as the server gave it. */
  conclude(to: Callee, requestBody: string, replyBody: string): void {
    const { method, params, cred } = callIn(requestBody) ?? {};
    const { result, error } = callIn(replyBody) ?? {};
    const given = isObject(params) ? params : {};
    if (isObject(result) && !this.earlierReplies.has(String(method)))
      this.earlierReplies.set(String(method), replyBody);
    if (method === 'auth.confirm_otp' && isObject(result)) {
      this.#phone = digitsOf(String(given.phone ?? ''));
      if (!this.hasTabs) this.served = undefined;
    }
    if (method === EHR_METHODS.read && isRefusal(error)) this.served = undefined;
    if (method === EHR_METHODS.authenticate && (isObject(result) || isRefusal(error)))
      this.#spentTokens.add(String(given.exchangeToken));
    if (method === EHR_METHODS.disconnect && isObject(result)) this.#endLink();
    if (ENDINGS.has(method) && isObject(result) && isObject(cred)) this.#endSession(to, cred.token);
    if (!isObject(result) || result.patient === undefined) return;
    this.served = ownerOf(JSON.stringify(result.patient));
    const sign = result.user_sign ?? result.userSign;
    if (typeof sign === 'string') this.#keepSign(sign);
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

/**
 * From get_patient: the user has no session there. From authenticate: its exchange token leads to nothing any
 * more.
 */
const REFUSAL_CODES: ReadonlySet<unknown> = new Set([-33000, -33001, -33002]);

const isRefusal = (error: unknown): boolean => isObject(error) && REFUSAL_CODES.has(error.code);

/** Remembers what the servers handed to a client, so that its later messages can be compared with it. */
import { isObject } from '#protocol/wire/envelope.ts';
import type { Action, FormValues } from './driver.ts';
import { callIn, type Known } from './messages.ts';
import type { Callee } from './troubles.ts';

export class Handed {
  readonly typed: FormValues[] = [];
  readonly codes = new Set<string>();
  readonly #exchangeTokens = new Set<string>();
  readonly #signs = new Set<string>();
  readonly #open: Record<Callee, Set<string>> = { auth: new Set(), ehr: new Set() };
  /** Whether the person has two tabs, each with the session of its own sign-in. */
  hasTabs = false;
  #session: Known['session'];
  readonly #earlier: NonNullable<Known['session']>[] = [];

  known(to: Callee): Known {
    return {
      session: this.#session,
      otherSessions: this.hasTabs ? this.#earlier : [],
      exchangeTokens: this.#exchangeTokens,
      signs: this.#signs,
      typed: this.typed,
      codes: this.codes,
      openIds: this.#open[to],
    };
  }

  /** Notes what a person does, before the client calls a server. */
  note(action: Action): void {
    if (action.do === 'otherTab') this.hasTabs = true;
    if (action.do === 'fillForm') this.typed.push(action.values);
    if (action.do === 'enterCode') this.codes.add(action.code);
  }

  /** Notes that a call of this id waits for its answer. Returns what {@link close} needs. */
  open(to: Callee, id: unknown): string {
    const text = JSON.stringify(id ?? null);
    this.#open[to].add(text);
    return text;
  }

  close(to: Callee, id: string): void {
    this.#open[to].delete(id);
  }

  /** Learns the session, the exchange token and the signature of a reply. */
  learn(body: string): void {
    const result = callIn(body)?.result;
    if (!isObject(result)) return;
    const { authInfo, exchangeToken, user_sign, userSign } = result;
    if (isObject(authInfo)) {
      if (this.#session) this.#earlier.push(this.#session);
      // An exchange token is for the session that asked for it.
      if (!this.hasTabs) this.#exchangeTokens.clear();
      this.#session = { user: String(authInfo.user), token: String(authInfo.token) };
    }
    if (typeof exchangeToken === 'string') this.#exchangeTokens.add(exchangeToken);
    for (const sign of [user_sign, userSign]) if (typeof sign === 'string') this.#signs.add(sign);
  }
}

/** Values that one step yields for later ones, such as the number of a sign-in attempt or a cookie. */
import type { StepName, Values } from '../../../../engine/journal/entry.ts';
import type { StepInput } from '../adapter.ts';

/** The phone of a step, its session if it has one, and the request whose values it uses. */
export type Owner = {
  [Name in 'phone' | 'token' | 'spoilt' | 'requestSeq' | 'stepSeq']?: StepInput[Name] | undefined;
};

/** Steps that yield a code or an exchange token; their values belong to it. */
const REQUESTS: ReadonlySet<StepName> = new Set(['requestOtp', 'exchangeToken']);

/**
 * Remembers values by session or, before there is one, by phone. A session's values are used only together
 * with its token, so a call made without a session on purpose carries none of them. A confirmation gets the
 * values of the request that yielded its code, and its session keeps them. A report gets those of the request
 * that yielded its exchange token.
 */
export class KeptValues {
  readonly #byPhone = new Map<string, Values>();
  readonly #byRequest = new Map<string, Values>();
  readonly #bySession = new Map<string, Values>();

  /** The values for a step of this owner, as variables `keep.NAME`. */
  of(step: StepName, { phone = '', token = '', spoilt, requestSeq = '' }: Owner): Record<string, string> {
    const [ofPhone, ofSession] = [this.#byPhone.get(phone), this.#ofSession(token, spoilt)];
    // A sign-in belongs to no session yet: values of its phone override those of an earlier session.
    const newest = step === 'confirmOtp' ? { ...ofSession, ...ofPhone } : { ...ofPhone, ...ofSession };
    const kept = { ...newest, ...this.#byRequest.get(requestSeq) };
    return Object.fromEntries(Object.entries(kept).map(([name, value]) => [`keep.${name}`, value]));
  }

  #ofSession(token: string, spoilt: Owner['spoilt']): Values | undefined {
    const kept = this.#bySession.get(spoilt?.token ?? token);
    if (!spoilt || !kept) return kept;
    return Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, spoilt.change(value)]));
  }

  /** Whether a sign-in yielded this token. */
  isOpen(token: string): boolean {
    return this.#bySession.has(token);
  }

  /** Keeps what a step yielded. `opened` is the token of the session that it opened. */
  keep(
    step: StepName,
    values: Values,
    { phone = '', token, requestSeq, stepSeq }: Owner,
    opened?: string,
  ): void {
    if (opened !== undefined)
      this.#bySession.set(opened, {
        ...(this.#byRequest.get(requestSeq ?? '') ?? this.#byPhone.get(phone)),
        ...values,
      });
    else if (token === undefined || step === 'requestOtp') add(this.#byPhone, phone, values);
    else add(this.#bySession, token, values);
    if (REQUESTS.has(step) && stepSeq !== undefined) this.#byRequest.set(stepSeq, values);
  }
}

function add(map: Map<string, Values>, key: string, values: Values): void {
  map.set(key, { ...map.get(key), ...values });
}

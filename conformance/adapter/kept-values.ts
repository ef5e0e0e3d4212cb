/** Values that one step yields for later ones, such as the number of a sign-in attempt or a cookie: each goes only where it belongs. */
import type { StepName, Values } from '../journal/entry.ts';
import type { StepInput } from './adapter.ts';

/** The phone of a step, its session where there is one, and the request whose values it uses. */
export type Owner = { [Name in 'phone' | 'token' | 'spoilt' | 'requestSeq' | 'stepSeq']?: StepInput[Name] | undefined };

/** Steps whose values belong to a code, or to an exchange token, that they yield. */
const REQUESTS: ReadonlySet<StepName> = new Set(['requestOtp', 'exchangeToken']);

/**
 * Remembers values by the session, or, before there is one, by the phone. What came with a session is known only to who
 * shows its token, so that a call meant to be made without a session carries nothing of it. A confirmation gets the
 * values of the very request from which its code came, and its session keeps them; a report gets those of the request for
 * the exchange token of its link.
 */
export class KeptValues {
  readonly #byPhone = new Map<string, Values>();
  readonly #byRequest = new Map<string, Values>();
  readonly #bySession = new Map<string, Values>();

  /** The values for a step of this owner, as variables: `keep.NAME`. */
  of(step: StepName, { phone = '', token = '', spoilt, requestSeq = '' }: Owner): Record<string, string> {
    const [ofPhone, ofSession] = [this.#byPhone.get(phone), this.#ofSession(token, spoilt)];
    // A sign-in belongs to no session: what came since goes before what an earlier one left.
    const newest = step === 'confirmOtp' ? { ...ofSession, ...ofPhone } : { ...ofPhone, ...ofSession };
    const kept = { ...newest, ...this.#byRequest.get(requestSeq) };
    return Object.fromEntries(Object.entries(kept).map(([name, value]) => [`keep.${name}`, value]));
  }

  #ofSession(token: string, spoilt: Owner['spoilt']): Values | undefined {
    const kept = this.#bySession.get(spoilt?.token ?? token);
    if (!spoilt || !kept) return kept;
    return Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, spoilt.change(value)]));
  }

  /** Keeps what a step yielded. `opened` is the token of the session that it opened. */
  keep(step: StepName, values: Values, { phone = '', token, requestSeq, stepSeq }: Owner, opened?: string): void {
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

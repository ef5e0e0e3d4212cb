/** Keeps values of an answer that later steps send back: the section `keep` of a step names them. */
import type { StepName, Values } from '../../../../engine/journal/entry.ts';
import type { StepInput } from '../adapter.ts';

export type Owner = {
  [Name in 'phone' | 'token' | 'spoilt' | 'requestSeq' | 'stepSeq']?: StepInput[Name] | undefined;
};

/** Steps that yield a code or an exchange token. Their values are used with that code or token alone. */
const REQUESTS: ReadonlySet<StepName> = new Set(['requestOtp', 'exchangeToken']);

/** By session or, before one, by phone. A code or exchange token brings the values of its own request. */
export class KeptValues {
  // Keys: the phone, the `stepSeq` of a request, the token of a session.
  readonly #byPhone = new Map<string, Values>();
  readonly #byRequest = new Map<string, Values>();
  readonly #bySession = new Map<string, Values>();

  of(step: StepName, { phone = '', token = '', spoilt, requestSeq = '' }: Owner): Record<string, string> {
    const [ofPhone, ofSession] = [this.#byPhone.get(phone), this.#ofSession(token, spoilt)];
    // A sign-in opens a new session: the values of its phone override those of an earlier session.
    const newest = step === 'confirmOtp' ? { ...ofSession, ...ofPhone } : { ...ofPhone, ...ofSession };
    const kept = { ...newest, ...this.#byRequest.get(requestSeq) };
    return Object.fromEntries(Object.entries(kept).map(([name, value]) => [`keep.${name}`, value]));
  }

  /** The values of a session, each changed on purpose where the step is to be `spoilt`. */
  #ofSession(token: string, spoilt: Owner['spoilt']): Values | undefined {
    const kept = this.#bySession.get(spoilt?.token ?? token);
    if (!spoilt || !kept) return kept;
    return Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, spoilt.change(value)]));
  }

  isOpen(token: string): boolean {
    return this.#bySession.has(token);
  }

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

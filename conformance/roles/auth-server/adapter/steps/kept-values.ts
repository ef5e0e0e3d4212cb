/** Keeps values of an answer that later steps send back: the section `keep` of a step names them. */
import { tryJson } from '#protocol/wire/json.ts';
import type { StepName, Values } from '../../../../engine/journal/entry.ts';
import { cookiesAfter } from '../../../../engine/party/requests/cookies.ts';
import { type Places, valuesFrom } from '../../../../engine/party/requests/read-answer.ts';
import type { Answer } from '../../../../engine/party/requests/send.ts';
import type { Variables } from '../../../../engine/party/requests/template.ts';
import type { CarriedSession, StepInput } from '../adapter.ts';

type Owner = {
  [Name in 'phone' | 'token' | 'spoilt' | 'requestSeq' | 'stepSeq']?: StepInput[Name] | undefined;
};

/** Steps that yield a code or an exchange token. Their values are used with that code or token alone. */
const REQUESTS: ReadonlySet<StepName> = new Set(['requestOtp', 'exchangeToken']);

/** Keeps values by session or, before one, by phone. A code or exchange token brings those of its own request. */
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

/** Limits the values that are tried for one answer: a careful server takes many tries for an attack. */
const MAX_CARRIED = 3;

/** The form of a session token: hardly any token has fewer than 16 characters, and none has blanks. */
const TOKEN_SHAPE = /^[\w.~+/=:-]{16,}$/;

type Carried = CarriedSession & { kept: Values };

/** What an answer carries as a session: first what stands at the place of the token, then other tokens. */
export function carriedSessions(
  { extract, keep }: { extract: Places; keep: Places },
  answer: Answer,
  variables: Variables,
): Carried[] {
  // A value that the request has sent is not a new session.
  const known = new Set(Object.values(variables));
  const found = (places: Places) => {
    const values = Object.entries(valuesFrom(readPlaces(places), answer, variables));
    return Object.fromEntries(values.filter(([, value]) => !known.has(value)));
  };
  const { user, token } = found({ user: extract.user, token: extract.token });
  const kept = found(keep);
  const inPlace = token ?? Object.values(kept)[0];
  const isOther = (text: string) =>
    TOKEN_SHAPE.test(text) && !known.has(text) && text !== user && text !== inPlace;
  const others = [...new Set(textsIn(answer).filter(isOther))].map((text) => {
    return { token: text, kept: Object.fromEntries(Object.keys(keep).map((name) => [name, text])) };
  });
  const all = inPlace === undefined ? others : [{ token: inPlace, kept }, ...others];
  return all.slice(0, MAX_CARRIED).map((each) => ({ ...each, ...(user !== undefined && { user }) }));
}

/** The places that take their value from the answer, and not from what was sent. */
const readPlaces = (places: Places): Places =>
  Object.fromEntries(
    Object.entries(places).filter(([, place]) => typeof place !== 'object' || !('value' in place)),
  );

const textsIn = (answer: Answer): string[] => [
  ...cookiesAfter(answer.headers.getSetCookie(), answer).values(),
  ...scalarsIn(tryJson(answer.text)?.value),
];

function scalarsIn(json: unknown): string[] {
  if (typeof json === 'string') return [json];
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(scalarsIn) : [];
}

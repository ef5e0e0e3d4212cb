/** Owners of the users, tokens, signatures and patients of a run, and what a reply tells of somebody else. */

import { isObject } from '#protocol/wire/envelope.ts';
import type { Answer } from '../../../engine/party/requests/send.ts';
import type { KnownPerson } from '../settings.ts';
import { jsonIn, membersOf, recordIn, replyOf } from './answer.ts';
import { METHODS } from './messages.ts';

type Owned = { what: 'user' | 'session token' | 'exchange token' | 'user_sign'; user: string };

/** What a reply told that it must not, in words without a value. */
export type Told = { scenario: string; label: string; what: string };

/** The form of the values that the kit invents, and of a signature. */
const VALUE = /[\w-]{12,}/g;
const MIN_PASSWORD_CHARS = 8;
/** Shorter properties occur by chance. */
const MIN_PROPERTY_CHARS = 5;

const valuesIn = (text: string): string[] => text.match(VALUE) ?? [];
const digitsOf = (phone: unknown) => String(phone).replace(/\D/g, '');

type SentCall = { method?: unknown; cred?: unknown; params?: unknown };

export class Belongings {
  readonly #owned = new Map<string, Owned>();
  /** The session token that was saved with an exchange token. */
  readonly #sessionOf = new Map<string, string>();
  /** The patients whom a user may see: several where a phone is shared. */
  readonly #patientsOf = new Map<string, readonly KnownPerson[]>();
  readonly #people: readonly KnownPerson[];
  readonly #password: string;
  readonly #told: Told[] = [];
  readonly #searched = new Map<string, number>();

  constructor(people: readonly KnownPerson[], password: string) {
    this.#people = people;
    this.#password = password.length < MIN_PASSWORD_CHARS ? '' : password;
  }

  /** Searches the answer to a request for what belongs to others, and learns from both. */
  examine(about: Omit<Told, 'what'>, request: string, answer: Answer): void {
    const call = callIn(request);
    if (call) this.#learnCall(call, false);
    this.#searched.set(about.scenario, (this.#searched.get(about.scenario) ?? 0) + 1);
    const what = this.#toldIn(request, answer, call);
    if (what !== undefined) this.#told.push({ ...about, what });
    if (!call) return;
    this.#learnCall(call, replyOf(answer)?.result !== undefined);
    this.#learnReply(call, answer);
  }

  /** Takes what was found in a scenario, and how many replies were searched. */
  taken(scenario: string): { searched: number; told: Told | undefined } {
    const searched = this.#searched.get(scenario) ?? 0;
    this.#searched.delete(scenario);
    return { searched, told: this.#told.find((each) => each.scenario === scenario) };
  }

  /** What a refused call names belongs to nobody yet, but its user. */
  #learnCall({ params }: SentCall, isSaved: boolean): void {
    const { authInfo, exchangeToken } = membersOf(params);
    const { user, token } = membersOf(authInfo);
    if (typeof user !== 'string') return;
    this.#learn(user, { what: 'user', user });
    if (!isSaved) return;
    if (typeof exchangeToken === 'string' && typeof token === 'string')
      this.#sessionOf.set(exchangeToken, token);
    this.#learn(token, { what: 'session token', user });
    this.#learn(exchangeToken, { what: 'exchange token', user });
  }

  /** A value belongs to whom it was first seen with. */
  #learn(value: unknown, owned: Owned): void {
    if (typeof value === 'string' && !this.#owned.has(value)) this.#owned.set(value, owned);
  }

  #learnReply(call: SentCall, answer: Answer): void {
    const { user_sign, userSign, patient } = membersOf(replyOf(answer)?.result);
    if (!isObject(patient)) return;
    const [user] = this.#userOf(call);
    if (user === undefined) return;
    for (const sign of [user_sign, userSign]) this.#learn(sign, { what: 'user_sign', user });
    if (call.method !== METHODS.authenticate) return;
    const phone = digitsOf(membersOf(membersOf(call.params).patientProperties).phone);
    const fitting = this.#people.filter((person) => digitsOf(person.phone) === phone);
    this.#patientsOf.set(user, fitting);
  }

  #toldIn(request: string, answer: Answer, call: SentCall | undefined): string | undefined {
    const text = `${answer.text} ${[...answer.headers].map(([, value]) => value).join(' ')}`;
    const isPasswordTold = text.includes(this.#password) && !request.includes(this.#password);
    if (this.#password !== '' && isPasswordTold) return 'the internal password';
    const users = new Set(call ? this.#userOf(call) : this.#ownersIn(request));
    const isAnnouncement = call?.method === METHODS.saveExchangeToken;
    const own = new Set(valuesIn(request).map((value) => this.#sessionOf.get(value)));
    for (const value of valuesIn(text)) {
      const owned = this.#owned.get(value);
      if (!owned || request.includes(value) || own.has(value)) continue;
      if (!users.has(owned.user))
        return owned.what === 'user' ? 'another user' : `the ${owned.what} of another user`;
      if (owned.what === 'session token' && users.has(owned.user)) return 'the token of another session';
      if (isAnnouncement && owned.what === 'user_sign')
        return 'the user_sign, to a caller who need not hold it';
    }
    return this.#patientsTold(request, answer, [...users]);
  }

  /** The user for whom a call is made. */
  #userOf({ method, cred, params }: SentCall): string[] {
    const { authInfo, exchangeToken } = membersOf(params);
    const isSave = method === METHODS.saveExchangeToken || method === METHODS.saveAuthInfo;
    const isOpening = method === METHODS.authenticate;
    const user = isOpening
      ? this.#owned.get(String(exchangeToken))?.user
      : membersOf(isSave ? authInfo : cred).user;
    return typeof user === 'string' ? [user] : [];
  }

  /** The users whose values a body holds, for a batch. */
  #ownersIn(request: string): string[] {
    return valuesIn(request).flatMap((value) => this.#owned.get(value)?.user ?? []);
  }

  /** One person whom a relative's entry would not explain, or several. */
  #patientsTold(request: string, answer: Answer, users: readonly string[]): string | undefined {
    const { text, relatives } = withoutRelatives(answer.text);
    const own = users.flatMap((user) => this.#patientsOf.get(user) ?? []);
    const known = new Set(own.flatMap(propertiesFound));
    const counts = this.#people
      .filter((person) => !own.includes(person))
      .map((person) =>
        propertiesFound(person).filter(
          (value) => text.includes(value) && !known.has(value) && !request.includes(value),
        ),
      )
      .map(({ length }) => length);
    const told = counts.filter((count) => count >= 2).length;
    const whole = counts.filter((count) => count >= 3).length;
    const isOwnUnknown = own.length === 0;
    if (told - relatives > 1 || (!isOwnUnknown && relatives === 0 && whole > 0))
      return 'the record of another patient';
    return undefined;
  }
}

function propertiesFound({ surname, date, phone, medCardId }: KnownPerson): string[] {
  return [surname, date, phone, medCardId ?? ''].filter(({ length }) => length >= MIN_PROPERTY_CHARS);
}

/** The one call of a body; undefined for a batch, and for what is no call. */
function callIn(request: string): SentCall | undefined {
  const body = jsonIn(request);
  return isObject(body) ? body : undefined;
}

/** The text of a reply without its familyMembers, and how many its record has: they may name relatives. */
function withoutRelatives(text: string): { text: string; relatives: number } {
  const reply = jsonIn(text);
  const rest = JSON.stringify(reply, (name, value) => (name === 'familyMembers' ? undefined : value));
  const { familyMembers } = recordIn(membersOf(reply));
  // What is no JSON is searched as it is.
  return { text: rest ?? text, relatives: Array.isArray(familyMembers) ? familyMembers.length : 0 };
}

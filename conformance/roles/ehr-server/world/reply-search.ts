/** Finds replies that tell what belongs to somebody else; it learns from the run which value is whose. */
import { isObject, membersOf } from '#protocol/wire/envelope.ts';
import { digest } from '#protocol/wire/hashes.ts';
import { writeJson } from '#protocol/wire/json.ts';
import type { Answer } from '../../../engine/party/requests/send.ts';
import type { KnownPerson } from '../settings.ts';
import { jsonIn, METHODS, recordIn, replyOf } from './messages.ts';

/** What was told, in words: reports show these, so the value itself is left out. */
export type Told = {
  scenario: string;
  label: string;
  what: string;
  /** Whether the scenario shows it alone: the value had its owner there, or is of no user. */
  isAlone: boolean;
};

type ToldValue = Pick<Told, 'what' | 'isAlone'>;

/** Texts that may be a user, a token or a user_sign: at least 12 characters, so that no usual word is one. */
const VALUE = /[\w-]{12,}/g;
/** A shorter internal password is not searched for: a reply could contain it by chance. */
const MIN_PASSWORD_CHARS = 8;

const valuesIn = (text: string): string[] => text.match(VALUE) ?? [];
const digitsOf = (phone: unknown) => String(phone).replace(/\D/g, '');

type SentCall = { method?: unknown; cred?: unknown; params?: unknown };

export class ReplySearch {
  /** The key is the value itself: a user, a token or a user_sign. */
  readonly #owned = new Map<string, Owned>();
  /** The key is a scenario and a value in it; the value is the first user who had it there. */
  readonly #firstHere = new Map<string, string>();
  /** The key is an exchange token; the value is the session token that was saved with it. */
  readonly #sessionOf = new Map<string, string>();
  readonly #patientsOf = new Map<string, readonly KnownPerson[]>();
  readonly #people: readonly KnownPerson[];
  readonly #password: string;
  readonly #told: Told[] = [];
  readonly #searched = new Map<string, number>();
  #scenario = '';

  constructor(people: readonly KnownPerson[], password: string) {
    this.#people = people;
    this.#password = password;
  }

  /** `request` is its body; '' where the kit did not keep it. */
  examine(about: Pick<Told, 'scenario' | 'label'>, request: string, answer: Answer): void {
    const call = callIn(request);
    this.#scenario = about.scenario;
    // The user of a call is learned before the search: the reply may name that user.
    if (call) this.#learnCall(call, false);
    this.#searched.set(about.scenario, (this.#searched.get(about.scenario) ?? 0) + 1);
    const told = this.#toldIn(request, answer, call);
    if (told) this.#told.push({ ...about, ...told });
    if (!call) return;
    this.#learnCall(call, replyOf(answer)?.result !== undefined);
    this.#learnReply(call, answer);
  }

  /** `told` is the first reply that told of others, rather one that shows it alone. */
  takeFound(scenario: string): { searched: number; told: Told | undefined } {
    const searched = this.#searched.get(scenario) ?? 0;
    this.#searched.delete(scenario);
    const own = this.#told.filter((each) => each.scenario === scenario);
    return { searched, told: own.find(({ isAlone }) => isAlone) ?? own[0] };
  }

  /** Learns from a call. The tokens of a save belong to its user only once the server has stored them. */
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
    this.#learnDigest(exchangeToken, user);
  }

  /** Learns the digest over a secret of a user: whoever has it can save for that user (§5.1, §5.2). */
  #learnDigest(secret: unknown, user: string): void {
    if (typeof secret === 'string') this.#learn(digest(this.#password, secret), { what: 'digest', user });
  }

  /** Notes the owner of a value. The first owner stays: a later call with the value may be an attack. */
  #learn(value: unknown, owned: Owned): void {
    if (typeof value !== 'string') return;
    if (!this.#owned.has(value)) this.#owned.set(value, owned);
    const here = `${this.#scenario} ${value}`;
    if (!this.#firstHere.has(here)) this.#firstHere.set(here, owned.user);
  }

  #learnReply(call: SentCall, answer: Answer): void {
    const result = replyOf(answer)?.result;
    if (!isObject(result)) return;
    const { user_sign, userSign } = result;
    const [user] = this.#userOf(call);
    if (user === undefined) return;
    for (const sign of [user_sign, userSign]) {
      this.#learn(sign, { what: 'user_sign', user });
      this.#learnDigest(sign, user);
    }
    if (call.method !== METHODS.authenticate) return;
    const phone = digitsOf(membersOf(membersOf(call.params).patientProperties).phone);
    const fitting = this.#people.filter((person) => digitsOf(person.phone) === phone);
    this.#patientsOf.set(user, fitting);
  }

  /** What the request itself contains, or the session token of its exchange token, is no news. */
  #toldIn(request: string, answer: Answer, call: SentCall | undefined): ToldValue | undefined {
    const text = `${answer.text} ${[...answer.headers].map(([, value]) => value).join(' ')}`;
    const isPasswordTold = text.includes(this.#password) && !request.includes(this.#password);
    if (this.#password.length >= MIN_PASSWORD_CHARS && isPasswordTold)
      return { what: 'the internal password', isAlone: true };
    const users = new Set(call ? this.#userOf(call) : this.#ownersIn(request));
    const isAnnouncement = call?.method === METHODS.saveExchangeToken;
    const own = new Set(valuesIn(request).map((value) => this.#sessionOf.get(value)));
    const record = this.#patientsTold(request, answer, [...users]);
    const found = valuesIn(text).flatMap((value): ToldValue[] => {
      const owned = this.#owned.get(value);
      if (!owned || request.includes(value) || own.has(value)) return [];
      const isOwn = users.has(owned.user);
      const what = wordsOf(owned, { isOwn, isAnnouncement });
      // The signature of another user comes with the record: where that is told too, it says more.
      if (what === undefined || (what === SIGN_OF_OTHER && record !== undefined)) return [];
      const here = this.#firstHere.get(`${this.#scenario} ${value}`);
      return [{ what, isAlone: here !== undefined && users.has(here) === isOwn }];
    });
    const told = found.find(({ isAlone }) => isAlone) ?? found[0];
    if (told) return told;
    const isToAuthServer = isAnnouncement || call?.method === METHODS.saveAuthInfo;
    if (isToAuthServer && this.#ownPatientTold(answer, [...users]))
      return { what: 'who the patient is, to the authorization server', isAlone: true };
    const isRefusal = isObject(replyOf(answer)?.error) && call?.method === METHODS.authenticate;
    if (isRefusal && this.#propertyTold(request, answer, [...users]))
      return { what: 'a property of a patient whom the call does not have', isAlone: true };
    return record === undefined ? undefined : { what: record, isAlone: true };
  }

  /** The caller may be guessing. The user's own patient is left out. */
  #propertyTold(request: string, answer: Answer, users: readonly string[]): boolean {
    const own = users.flatMap((user) => this.#patientsOf.get(user) ?? []);
    const known = new Set(own.flatMap(propertiesFound));
    const [sent, told] = [folded(request), folded(answer.text)];
    return this.#people
      .flatMap(propertiesFound)
      .filter((value) => !known.has(value))
      .some((value) => told.includes(folded(value)) && !sent.includes(folded(value)));
  }

  /** Whether a birth date, a medical card or a surname as a word of its own tells the user's patient (§1 rule 3). */
  #ownPatientTold({ text }: Answer, users: readonly string[]): boolean {
    const told = folded(text);
    const words = new Set(told.split(/[^\p{L}\p{N}]+/u));
    return users
      .flatMap((user) => this.#patientsOf.get(user) ?? [])
      .some(
        ({ surname, date, medCardId }) =>
          words.has(folded(surname)) ||
          [date, medCardId ?? ''].some((value) => value.length >= MIN_PROPERTY_CHARS && told.includes(value)),
      );
  }

  /** The user of a call, and the same without blanks, which a server may cut off. */
  #userOf({ method, cred, params }: SentCall): string[] {
    const { authInfo, exchangeToken } = membersOf(params);
    const isSave = method === METHODS.saveExchangeToken || method === METHODS.saveAuthInfo;
    const isOpening = method === METHODS.authenticate;
    const user = isOpening
      ? (this.#owned.get(String(exchangeToken)) ?? this.#owned.get(String(exchangeToken).trim()))?.user
      : membersOf(isSave ? authInfo : cred).user;
    return typeof user === 'string' ? [user, user.trim()] : [];
  }

  /** A batch is judged by these: its calls may be of several users. */
  #ownersIn(request: string): string[] {
    return valuesIn(request).flatMap((value) => this.#owned.get(value)?.user ?? []);
  }

  /**
   * Says whether a reply contains the record of a patient who is none of these users' patients. A relative of
   * the user's own patient may share a surname and a phone, so two agreeing properties are excused once for
   * each relative in the record, and once more in any case. Three are excused only where the record names
   * relatives, or the user's own patient is not known.
   */
  #patientsTold(request: string, answer: Answer, users: readonly string[]): string | undefined {
    const { text, relatives, described } = withoutRelatives(answer.text);
    const own = users.flatMap((user) => this.#patientsOf.get(user) ?? []);
    const cards = this.#people.flatMap(({ medCardId }) => medCardId ?? []);
    if (described.some((relative) => hasCard(relative, cards)))
      return 'the medical card of a relative, which opens the record together with a phone';
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

function callIn(request: string): SentCall | undefined {
  const body = jsonIn(request);
  return isObject(body) ? body : undefined;
}

type Owned = { what: 'user' | 'session token' | 'exchange token' | 'user_sign' | 'digest'; user: string };

/** What the signature of another user is called where it is told. */
export const SIGN_OF_OTHER = 'the user_sign of another user';

function wordsOf({ what }: Owned, { isOwn, isAnnouncement }: { isOwn: boolean; isAnnouncement: boolean }) {
  if (what === 'digest') return 'the digest of a call of the internal channel';
  if (!isOwn) return what === 'user' ? 'another user' : `the ${what} of another user`;
  if (what === 'session token') return 'the token of another session';
  return isAnnouncement && what === 'user_sign'
    ? 'the user_sign, to a caller who need not hold it'
    : undefined;
}

/** A shorter surname or number is not searched for: a record could contain it by chance. */
const MIN_PROPERTY_CHARS = 5;

/** A text without what a server may change where it repeats it: case, accents, signs in a phone. */
const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}()+.]|(?<=\d) (?=\d)/gu, '')
    .toLowerCase();

function propertiesFound({ surname, date, phone, medCardId }: KnownPerson): string[] {
  return [surname, date, phone, medCardId ?? ''].filter(({ length }) => length >= MIN_PROPERTY_CHARS);
}

/** Whether a relative is told with the number of a medical card, or with a card that the file names. */
function hasCard(relative: unknown, cards: readonly string[]): boolean {
  const named = Object.entries(membersOf(relative)).some(
    ([name, value]) => /^med.*card/i.test(name) && typeof value === 'string' && value !== '',
  );
  const text = writeJson(relative);
  return named || cards.some((card) => card.length >= MIN_PROPERTY_CHARS && text.includes(card));
}

/** familyMembers may name other patients rightly. */
function withoutRelatives(text: string): { text: string; relatives: number; described: unknown[] } {
  const reply = jsonIn(text);
  const rest = JSON.stringify(reply, (name, value) =>
    name === 'familyMembers' ? undefined : typeof value === 'bigint' ? String(value) : value,
  );
  const { familyMembers } = recordIn(membersOf(reply));
  // `rest` is undefined where the text is no JSON: such a text is searched as it is.
  const described = Array.isArray(familyMembers) ? familyMembers : [];
  return { text: rest ?? text, relatives: described.length, described };
}

/** The label under which the journal keeps how many replies were searched for what belongs to others. */
export const REPLIES_SEARCHED = 'replies searched';

/** What the observer knows in clear while a run goes on, and nobody afterwards: the internal secret, and every value that it has seen. */
import { rememberedForms } from './canaries.ts';
import { codeHashes } from './code-hashes.ts';
import { Pseudonyms } from './pseudonyms.ts';
import { type SoughtForm, secretForms } from './sought-forms.ts';

export type Person = { scenario: string; user: string };

type SentCode = { phone: string; usedAt: number; isSpent?: true };

const MIN_PASSWORD_LENGTH = 4;

const OWNED = {
  'session-token': 'a session token',
  'exchange-token': 'an exchange token',
  'user-sign': 'a user_sign',
} as const;

export class Knowledge {
  readonly pseudonyms = new Pseudonyms();
  readonly internalUser: string;
  readonly internalPassword: string;
  /** The forms in which the whole internal password is seen; none for one so short that it would be found in anything. */
  readonly passwordForms: readonly SoughtForm[];
  /** Patient properties that must not reach the authorization server: the value, and what it is. */
  readonly patientData: ReadonlyMap<string, string>;
  /** The forms in which a value is looked for. */
  readonly formsOf = rememberedForms();
  /** user_sign to the user whose it is. */
  readonly signs = new Map<string, string>();
  /** Exchange token to the user for whom it was saved. */
  readonly userOf = new Map<string, string>();
  /** Digests that crossed on the internal channel. */
  readonly digests = new Set<string>();
  /** Codes as they came, newest last: the phone, and the `seq` of the step that first confirmed with it. */
  readonly codes = new Map<string, SentCode[]>();
  /** Tokens and signatures by value: what it is, and the phone of the person whose it is. */
  readonly owned = new Map<string, { what: string; phone: string }>();
  /** The code that came last, whoever got it. */
  lastCode: string | undefined;
  readonly #hashes = new Map<string, ReturnType<typeof codeHashes>>();
  /** The phone of each user of a scenario. */
  readonly #phones = new Map<string, string>();
  readonly #tokens = { 'session-token': new Set<string>(), 'exchange-token': new Set<string>() };

  constructor(internalUser: string, internalPassword: string, patientData: ReadonlyMap<string, string>) {
    this.internalUser = internalUser;
    this.internalPassword = internalPassword;
    this.passwordForms =
      internalPassword.length < MIN_PASSWORD_LENGTH ? [] : secretForms(internalPassword, { mayBeCut: false });
    this.patientData = patientData;
    if (internalPassword !== '') this.pseudonyms.seek('password', internalPassword, { whole: true });
    for (const stem of patientData.keys()) this.pseudonyms.seek('patient-data', stem, { whole: false });
  }

  /** A signature that the EHR server gave out for `user`. */
  learnSign(sign: string, user: string): void {
    this.signs.set(sign, user);
    this.pseudonyms.learn('user-sign', sign);
  }

  /** A user of a scenario has this phone. */
  learnPerson({ scenario, user }: Person, phone: string): void {
    this.#phones.set(`${scenario}/${user}`, phone);
    this.pseudonyms.learn('phone', phone);
  }

  /** All phones that belong to users of scenarios. */
  get phones(): ReadonlySet<string> {
    return new Set(this.#phones.values());
  }

  phoneOf({ scenario, user }: Person): string | undefined {
    return this.#phones.get(`${scenario}/${user}`);
  }

  /** A code came to a phone. @returns its pseudonym */
  learnCode(code: string, phone: string): string {
    this.lastCode = code;
    this.codes.set(code, [...(this.codes.get(code) ?? []), { phone, usedAt: Number.POSITIVE_INFINITY }]);
    return this.pseudonyms.learn('code', code);
  }

  /** Hashes of a code that came to a phone; each is made once. */
  hashesOf(code: string, phone: string): ReturnType<typeof codeHashes> {
    const key = `${phone} ${code}`;
    const hashes = this.#hashes.get(key) ?? codeHashes(code, phone);
    this.#hashes.set(key, hashes);
    return hashes;
  }

  /** Whether this code came to the phone before, and confirmed nothing since. */
  isUnused(code: string, phone: string): boolean {
    return (this.codes.get(code) ?? []).some((sent) => sent.phone === phone && !sent.isSpent);
  }

  /** A code confirmed the phone: from now on it is no living one. */
  spendCode(code: string, phone: string): void {
    for (const sent of this.codes.get(code) ?? []) if (sent.phone === phone) sent.isSpent = true;
  }

  /** The step with this `seq` confirms with the code: from now on the client may see it. */
  useCode(code: string, phone: string, seq: number): void {
    for (const sent of this.codes.get(code) ?? []) if (sent.phone === phone) sent.usedAt = Math.min(sent.usedAt, seq);
  }

  /** A value that belongs to one person alone. */
  learnOwned(kind: 'session-token' | 'exchange-token' | 'user-sign', value: string, phone: string): void {
    this.owned.set(value, { what: OWNED[kind], phone });
    this.pseudonyms.learn(kind, value);
  }

  /** Earlier tokens of a kind when `token` is new, undefined when it was seen before. Remembers it. */
  firstSight(kind: 'session-token' | 'exchange-token', token: string): string[] | undefined {
    const seen = this.#tokens[kind];
    if (seen.has(token)) return undefined;
    const earlier = [...seen].slice(-20);
    seen.add(token);
    return earlier;
  }
}

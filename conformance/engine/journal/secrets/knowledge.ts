/** What the observer knows in clear during a run: the internal secret, and every value seen. */
import { rememberedForms } from './canaries.ts';
import { codeHashes } from './codes/code-hashes.ts';
import { type PatientHashes, patientHashes } from './found/patient-hashes.ts';
import { Pseudonyms } from './pseudonyms.ts';
import { type SoughtForm, secretForms } from './sought-forms.ts';
import { SeenTokens } from './tokens/seen-tokens.ts';
import { TokenSources } from './tokens/token-sources.ts';

export type Person = { scenario: string; user: string };

type SentCode = { phone: string; usedAt: number; isSpent?: true };

const MIN_PASSWORD_CHARS = 4;

/** Shorter users and phones occur by chance in an answer. */
export const MIN_NAME_CHARS = 8;

/** The number of codes with which the next one is compared. */
const MAX_LAST_CODES = 3;

const OWNED = {
  'session-token': 'a session token',
  'exchange-token': 'an exchange token',
  'user-sign': 'a user_sign',
} as const;

export class Knowledge {
  readonly pseudonyms = new Pseudonyms();
  readonly internalUser: string;
  readonly internalPassword: string;
  /** The searched forms of the whole internal password; none when it is so short that it occurs by chance. */
  readonly passwordForms: readonly SoughtForm[];
  /** Patient properties that must not reach the authorization server: value to name. */
  readonly patientData: ReadonlyMap<string, string>;
  /** Their hashes. */
  readonly patientHashes: PatientHashes;
  /** The forms in which a value is searched. */
  readonly formsOf = rememberedForms();
  /** user_sign to its user. */
  readonly signs = new Map<string, string>();
  /** Exchange token to the user for whom it was saved. */
  readonly userOf = new Map<string, string>();
  /** Digests that crossed on the internal channel. */
  readonly digests = new Set<string>();
  /**
   * The messages of each code, newest last: the phone, and the `seq` of the step that first confirmed with
   * the code.
   */
  readonly codes = new Map<string, SentCode[]>();
  /** Tokens and signatures by value: what it is, and its owner's phone. */
  readonly owned = new Map<string, { what: string; phone: string }>();
  /** Users and phones of people by value: which of the two it is, and its owner's phone. */
  readonly names = new Map<string, { what: string; phone: string }>();
  /** The newest codes, newest first, whichever phones they went to. */
  readonly lastCodes: string[] = [];
  /** Recognizes tokens that are made of other values. */
  readonly sources = new TokenSources();
  readonly #hashes = new Map<string, ReturnType<typeof codeHashes>>();
  /** The phone of each user of a scenario. */
  readonly #phones = new Map<string, string>();
  /** The tokens that crossed on the internal channel. */
  readonly tokens = { 'session-token': new SeenTokens(), 'exchange-token': new SeenTokens() };

  /** @param hashed texts whose hashes must not reach the authorization server: value to name */
  constructor(
    internalUser: string,
    internalPassword: string,
    patientData: ReadonlyMap<string, string>,
    hashed = patientData,
  ) {
    this.internalUser = internalUser;
    this.internalPassword = internalPassword;
    this.passwordForms =
      internalPassword.length < MIN_PASSWORD_CHARS ? [] : secretForms(internalPassword, { mayBeCut: false });
    this.patientData = patientData;
    this.patientHashes = patientHashes(hashed);
    if (internalPassword !== '') this.pseudonyms.seek('password', internalPassword, { whole: true });
    for (const stem of patientData.keys()) this.pseudonyms.seek('patient-data', stem, { whole: false });
  }

  /** Notes a signature that the EHR server issued for `user`. */
  learnSign(sign: string, user: string): void {
    this.signs.set(sign, user);
    this.pseudonyms.learn('user-sign', sign);
  }

  /** Notes the phone of a user of a scenario. */
  learnPerson({ scenario, user }: Person, phone: string): void {
    this.#phones.set(`${scenario}/${user}`, phone);
    this.sources.learn(phone, 'a phone');
    this.pseudonyms.learn('phone', phone);
    if (phone.length >= MIN_NAME_CHARS)
      this.names.set(phone.replace(/^\+/, ''), { what: 'the phone', phone });
  }

  /** Notes the user that a sign-in returned for a phone; the first phone of a user owns it. */
  learnUser(user: string, phone: string): void {
    this.pseudonyms.learn('user', user);
    if (user.length >= MIN_NAME_CHARS && !this.names.has(user))
      this.names.set(user, { what: 'the user', phone });
  }

  /** All phones that belong to users of scenarios. */
  get phones(): ReadonlySet<string> {
    return new Set(this.#phones.values());
  }

  phoneOf({ scenario, user }: Person): string | undefined {
    return this.#phones.get(`${scenario}/${user}`);
  }

  /**
   * Notes a code sent to a phone.
   * @returns its pseudonym
   */
  learnCode(code: string, phone: string): string {
    this.lastCodes.unshift(code);
    this.lastCodes.length = Math.min(this.lastCodes.length, MAX_LAST_CODES);
    this.sources.learn(code, 'a code');
    this.codes.set(code, [...(this.codes.get(code) ?? []), { phone, usedAt: Number.POSITIVE_INFINITY }]);
    return this.pseudonyms.learn('code', code);
  }

  /** The hashes of a code sent to a phone; computed once. */
  hashesOf(code: string, phone: string): ReturnType<typeof codeHashes> {
    const key = `${phone} ${code}`;
    const hashes = this.#hashes.get(key) ?? codeHashes(code, phone);
    this.#hashes.set(key, hashes);
    return hashes;
  }

  /** Whether this code came to the phone before, and has confirmed nothing since. */
  isUnused(code: string, phone: string): boolean {
    return (this.codes.get(code) ?? []).some((sent) => sent.phone === phone && !sent.isSpent);
  }

  /** Notes that a code confirmed the phone: from now on it is used up. */
  spendCode(code: string, phone: string): void {
    for (const sent of this.codes.get(code) ?? []) if (sent.phone === phone) sent.isSpent = true;
  }

  /** Notes the step (`seq`) that confirms with the code: from now on the client may see it. */
  useCode(code: string, phone: string, seq: number): void {
    for (const sent of this.codes.get(code) ?? [])
      if (sent.phone === phone) sent.usedAt = Math.min(sent.usedAt, seq);
  }

  /** Notes a value that belongs to one person alone. */
  learnOwned(kind: 'session-token' | 'exchange-token' | 'user-sign', value: string, phone: string): void {
    this.owned.set(value, { what: OWNED[kind], phone });
    this.pseudonyms.learn(kind, value);
  }
}

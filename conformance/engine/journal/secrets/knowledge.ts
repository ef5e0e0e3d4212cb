/**
 * The secrets that the kit knows in clear during a run: the internal password, patient data, and the phones,
 * codes, tokens and signatures of the messages so far. By them it finds leaks and masks the journal.
 */
import { rememberedForms } from './canaries.ts';
import { SeenTokens } from './entropy.ts';
import { type CodeHash, codeHashes, type RecognizeHash, recognizerOfPatientHashes } from './found/hashes.ts';
import { Pseudonyms } from './pseudonyms.ts';
import { type SoughtForm, secretForms } from './sought-forms.ts';
import { TokenSources } from './token-sources.ts';

/** A person is identified by scenario and name: each scenario has a "user" of its own. */
export type Person = { scenario: string; user: string };

/**
 * A code that was sent to a phone. `usedAt` is the `seq` of the first step that entered it, infinite until
 * then. `isSpent`: the server accepted it.
 */
type SentCode = { phone: string; usedAt: number; isSpent?: true };

/** A shorter password occurs by chance, and is not searched. */
const MIN_PASSWORD_CHARS = 4;

/** A shorter user or phone may occur in an answer by chance, and is not searched. */
export const MIN_NAME_CHARS = 8;

const MAX_LAST_CODES = 3;
const MAX_LAST_PHONES = 3;

/** How findings name a value that belongs to one person. */
const OWNED = {
  'session-token': 'a session token',
  'exchange-token': 'an exchange token',
  'user-sign': 'a user_sign',
} as const;

/** Collects the secrets in clear, which stay in memory and are never written. */
export class Knowledge {
  readonly pseudonyms = new Pseudonyms();
  /** How many units of ttl make a minute: 60 where it counts seconds. */
  ttlsPerMinute = 1;
  readonly internalUser: string;
  readonly internalPassword: string;
  /** The forms in which the internal password is searched; none when it is too short. */
  readonly passwordForms: readonly SoughtForm[];
  /** Patient data that must not reach the authorization server: each value with its name, as "surname". */
  readonly patientData: ReadonlyMap<string, string>;
  readonly recognizePatientHash: RecognizeHash;
  readonly formsOf = rememberedForms();
  /** Key: a user_sign. Value: its user. */
  readonly signs = new Map<string, string>();
  /** Key: an exchange token. Value: the user for whom it was saved. */
  readonly userOf = new Map<string, string>();
  /** Digests that the authorization server sent to the EHR server. */
  readonly digests = new Set<string>();
  /** Key: a code. Value: each sending of it, newest last: one code may be sent to several phones. */
  readonly codes = new Map<string, SentCode[]>();
  /** Key: a token or a signature. Value: which of them it is, and the phone of its owner. */
  readonly owned = new Map<string, { what: string; phone: string }>();
  /** Key: a user or a phone. Value: which of them it is, and the phone of this person. */
  readonly names = new Map<string, { what: string; phone: string }>();
  readonly lastCodes: string[] = [];
  /** The phones that a scenario took last, newest first. */
  readonly lastPhones: string[] = [];
  readonly sources = new TokenSources();
  readonly #hashes = new Map<string, readonly CodeHash[]>();
  /** Key: scenario and user. Value: the phone of this user. */
  readonly #phones = new Map<string, string>();
  /** The tokens that the authorization server sent to the EHR server. */
  readonly tokens = { 'session-token': new SeenTokens(), 'exchange-token': new SeenTokens() };

  /** @param hashed patient data whose hashes must not reach the authorization server: value to name */
  constructor(
    internalUser: string,
    internalPassword: string,
    patientData: ReadonlyMap<string, string> = new Map(),
    hashed = patientData,
  ) {
    this.internalUser = internalUser;
    this.internalPassword = internalPassword;
    this.passwordForms =
      internalPassword.length < MIN_PASSWORD_CHARS ? [] : secretForms(internalPassword, { mayBeCut: false });
    this.patientData = patientData;
    this.recognizePatientHash = recognizerOfPatientHashes(hashed);
    if (internalPassword !== '') this.pseudonyms.seek('password', internalPassword, { whole: true });
    for (const stem of patientData.keys()) this.pseudonyms.seek('patient-data', stem, { whole: false });
  }

  learnSign(sign: string, user: string): void {
    this.signs.set(sign, user);
    this.pseudonyms.learn('user-sign', sign);
  }

  learnPerson({ scenario, user }: Person, phone: string): void {
    this.#phones.set(`${scenario}/${user}`, phone);
    this.lastPhones.unshift(phone);
    this.lastPhones.length = Math.min(this.lastPhones.length, MAX_LAST_PHONES);
    this.sources.learn(phone, 'a phone');
    this.pseudonyms.learn('phone', phone);
    if (phone.length >= MIN_NAME_CHARS)
      this.names.set(phone.replace(/^\+/, ''), { what: 'the phone', phone });
  }

  /** Notes the user that a sign-in returned for a phone. Only the first phone of a user counts. */
  learnUser(user: string, phone: string): void {
    this.pseudonyms.learn('user', user);
    if (user.length >= MIN_NAME_CHARS && !this.names.has(user))
      this.names.set(user, { what: 'the user', phone });
  }

  get phones(): ReadonlySet<string> {
    return new Set(this.#phones.values());
  }

  phoneOf({ scenario, user }: Person): string | undefined {
    return this.#phones.get(`${scenario}/${user}`);
  }

  learnCode(code: string, phone: string): string {
    this.lastCodes.unshift(code);
    this.lastCodes.length = Math.min(this.lastCodes.length, MAX_LAST_CODES);
    this.sources.learn(code, 'a code');
    this.codes.set(code, [...(this.codes.get(code) ?? []), { phone, usedAt: Number.POSITIVE_INFINITY }]);
    return this.pseudonyms.learn('code', code);
  }

  hashesOf(code: string, phone: string): readonly CodeHash[] {
    const key = `${phone} ${code}`;
    const hashes = this.#hashes.get(key) ?? codeHashes(code, phone);
    this.#hashes.set(key, hashes);
    return hashes;
  }

  /** Whether this code was sent to the phone before, and the server has not accepted it yet. */
  isUnused(code: string, phone: string): boolean {
    return (this.codes.get(code) ?? []).some((sent) => sent.phone === phone && !sent.isSpent);
  }

  /** Notes that the server accepted a code: from now on it is used up. */
  spendCode(code: string, phone: string): void {
    for (const sent of this.codes.get(code) ?? []) if (sent.phone === phone) sent.isSpent = true;
  }

  /** Notes the step (`seq`) in which the client sent the code: from then on the client knows it. */
  useCode(code: string, phone: string, seq: number): void {
    for (const sent of this.codes.get(code) ?? [])
      if (sent.phone === phone) sent.usedAt = Math.min(sent.usedAt, seq);
  }

  /** Notes a value that belongs to one person alone. */
  learnOwned(kind: keyof typeof OWNED, value: string, phone: string): void {
    this.owned.set(value, { what: OWNED[kind], phone });
    this.pseudonyms.learn(kind, value);
  }
}

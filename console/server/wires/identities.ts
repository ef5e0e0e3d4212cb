/** Tells whom a message concerns, and learns the secrets and patient data in it before anybody sees it. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { ExchangeEntry } from '#conformance/engine/journal/entry.ts';
import type { Knowledge } from '#conformance/engine/journal/secrets/knowledge.ts';
import { personaList } from '#mis-fixtures/personas.ts';
import { membersOf } from '#protocol/wire/envelope.ts';
import { hashToken } from '#protocol/wire/hashes.ts';
import { tryJson } from '#protocol/wire/json.ts';

type JsonObject = Record<string, unknown>;

/** Shorter values would be found by chance. */
const MIN_PATIENT_DATA_CHARS = 4;

/** Patient properties of all personas that must not reach the authorization server: value to name. */
export function patientDataOf(): Map<string, string> {
  return new Map(
    personaList
      .flatMap(({ patients }) => patients)
      .flatMap(({ surname, birthdate, medcardNumber }) => [
        [surname, 'the surname'] as const,
        [birthdate.slice(0, 10), 'the date of birth'] as const,
        ...(medcardNumber ? [[medcardNumber, 'the medical card number'] as const] : []),
      ])
      .filter(([value]) => value.length >= MIN_PATIENT_DATA_CHARS),
  );
}

export class Identities {
  readonly #knowledge: Knowledge;
  readonly #patientData: Map<string, string>;
  /** Phone or e-mail address by public user id. */
  readonly #attributes = new Map<string, string>();
  /** User by the hash of a session token or exchange token, in hexadecimal. */
  readonly #users = new Map<string, string>();
  readonly #tokenNames = new Map<string, string>();

  /** @param patientData the map of the knowledge, which grows with what is typed */
  constructor(knowledge: Knowledge, patientData: Map<string, string>) {
    this.#knowledge = knowledge;
    this.#patientData = patientData;
  }

  /** The people who signed in, by the pseudonym of their phone or e-mail address. */
  people(): Record<string, string> {
    const { pseudonyms } = this.#knowledge;
    const named = [...this.#attributes.values()].map((attribute) => [
      pseudonyms.learn('phone', attribute),
      personAt(attribute),
    ]);
    return Object.fromEntries(named.filter(([, name]) => name !== undefined));
  }

  /** Learns from an exchange in clear. */
  learn({ link, request, response }: ExchangeEntry): void {
    const call = objectOf(request.body);
    const params = objectIn(call, 'params');
    const reply = objectOf(response?.body ?? '');
    // Anybody can send properties: those that a call was refused with are no patient's.
    if (link === 'client->ehr' && 'result' in reply && !reply.error) this.#learnProperties(params);
    const result = objectIn(reply, 'result');
    for (const info of [objectIn(params, 'authInfo'), objectIn(result, 'authInfo'), objectIn(call, 'cred')])
      if (link !== 'auth->ehr' || info !== objectIn(call, 'cred')) this.#learnSession(info);
    const { user } = { ...objectIn(call, 'cred'), ...objectIn(params, 'authInfo') };
    for (const token of [params.exchangeToken, result.exchangeToken])
      this.#learnToken('exchange-token', token, user);
    const attribute = attributeIn(params);
    const signedIn = objectIn(result, 'authInfo').user;
    if (attribute !== undefined && typeof signedIn === 'string') this.learnUser(signedIn, attribute);
  }

  /** Forgets the patient data that calls taught. */
  forget(): void {
    const own = patientDataOf();
    for (const value of this.#patientData.keys()) if (!own.has(value)) this.#patientData.delete(value);
  }

  learnUser(user: string, attribute: string): void {
    this.#attributes.set(user, attribute);
    this.#knowledge.pseudonyms.learn('user', user);
    this.#knowledge.pseudonyms.learn('phone', attribute);
  }

  /** The name of the persona whom an exchange concerns. */
  personOf({ request }: ExchangeEntry): string | undefined {
    const call = objectOf(request.body);
    const params = objectIn(call, 'params');
    const attribute = attributeIn(params);
    if (attribute !== undefined) return personAt(attribute);
    const { exchangeToken } = params;
    const user =
      objectIn(params, 'authInfo').user ??
      (typeof exchangeToken === 'string' ? this.#users.get(hashOf(exchangeToken)) : undefined) ??
      objectIn(call, 'cred').user;
    return typeof user === 'string' ? this.personOfUser(user) : undefined;
  }

  personOfUser(user: string): string | undefined {
    const attribute = this.#attributes.get(user);
    return attribute === undefined ? undefined : personAt(attribute);
  }

  /** The pseudonym of a token by its hash, or the beginning of the hash where the token never crossed. */
  tokenName(hash: string): string {
    return this.#tokenNames.get(hash) ?? `${hash.slice(0, 8)}…`;
  }

  #learnProperties(params: JsonObject): void {
    const { surname, date } = objectIn(params, 'patientProperties');
    const day = typeof date === 'string' ? date.slice(0, 10) : undefined;
    const values = [
      [surname, 'the surname'],
      [day, 'the date of birth'],
      [params.medCardId, 'the medical card number'],
    ] as const;
    for (const [value, name] of values) {
      if (typeof value !== 'string' || value.length < MIN_PATIENT_DATA_CHARS || this.#patientData.has(value))
        continue;
      this.#patientData.set(value, name);
      this.#knowledge.pseudonyms.seek('patient-data', value, { whole: false });
    }
  }

  #learnSession({ user, token }: JsonObject): void {
    if (typeof user === 'string' && user !== '') this.#knowledge.pseudonyms.learn('user', user);
    this.#learnToken('session-token', token, user);
  }

  #learnToken(kind: 'session-token' | 'exchange-token', token: unknown, user: unknown): void {
    if (typeof token !== 'string' || token === '') return;
    const hash = hashOf(token);
    this.#tokenNames.set(hash, this.#knowledge.pseudonyms.learn(kind, token));
    if (typeof user === 'string') this.#users.set(hash, user);
  }
}

/** The persona who signs in with this phone or e-mail address. */
export function personAt(attribute: string): string | undefined {
  const digits = attribute.replace(/\D/g, '');
  return personaList.find(({ signIn }) => signIn === attribute || signIn === digits)?.name;
}

/** The hash of a token in hexadecimal, as the stores keep it. */
function hashOf(token: string): string {
  return bytesToHex(hashToken(token));
}

/** The phone or e-mail address among the parameters of a call. */
export function attributeIn({ phone, email }: JsonObject): string | undefined {
  const attribute = phone ?? email;
  return typeof attribute === 'string' && attribute !== '' ? attribute : undefined;
}

/** A body as an object; without members when it is none: it names nobody. */
export function objectOf(body: string): JsonObject {
  return membersOf(tryJson(body)?.value);
}

/** A member that is an object; without members when it is none. */
export function objectIn(value: JsonObject, name: string): JsonObject {
  return membersOf(value[name]);
}

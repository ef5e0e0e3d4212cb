/** Who and what the calls of one group are about: invented users, patients, tokens. The ledger knows them by number, this file by name. */
import { createHash } from 'node:crypto';
import type { Patient } from '#protocol/fields.ts';
import { type Random, randomToken } from '#protocol/random.ts';
import { patientOf } from '../world/patients.ts';

export const USERS = 3;
export const PATIENTS = 3;
/** Session tokens and exchange tokens, each; more than a group gets to use. */
export const TOKENS = 64;

export class Cast {
  readonly group: number;
  readonly users: readonly string[];
  readonly patients: readonly Patient[];
  readonly tokens: readonly string[];
  readonly exchanges: readonly string[];
  readonly #signs: string[] = [];
  readonly #patientNumbers: ReadonlyMap<string, number>;

  constructor(group: number, random: Random) {
    this.group = group;
    this.users = Array.from({ length: USERS }, (_, user) => `torture-${group}-${user}`);
    this.patients = Array.from({ length: PATIENTS }, (_, patient) => patientOf(group * PATIENTS + patient));
    this.tokens = Array.from({ length: TOKENS }, () => randomToken(random, 18));
    this.exchanges = Array.from({ length: TOKENS }, () => randomToken(random, 18));
    this.#patientNumbers = new Map(this.patients.map(({ id }, number) => [id, number]));
  }

  /** The number of a patient; -1 for one of another group. */
  patientNumber(id: string): number {
    return this.#patientNumbers.get(id) ?? -1;
  }

  /** The number of a signature, a new one when it was never seen. */
  signNumber(sign: string): number {
    const known = this.#signs.indexOf(sign);
    return known === -1 ? this.#signs.push(sign) - 1 : known;
  }

  sign(number: number): string {
    return this.#signs[number] ?? 'a signature that nobody has';
  }
}

/** How the EHR server stores a token: SHA-256, here in hexadecimal. */
export function storedForm(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}

/**
 * The invented users, patients and tokens of one group. The ledger knows them by number, this file by name.
 */
import { createHash } from 'node:crypto';
import { type Random, randomToken } from '#protocol/time/random.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { patientOf } from '../world/patients.ts';

export const USER_COUNT = 3;
export const PATIENT_COUNT = 3;
/** Number of session tokens and of exchange tokens: more than a group ever uses. */
export const MAX_TOKENS = 64;

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
    this.users = Array.from({ length: USER_COUNT }, (_, user) => `torture-${group}-${user}`);
    this.patients = Array.from({ length: PATIENT_COUNT }, (_, patient) => patientOf(group * PATIENT_COUNT + patient));
    this.tokens = Array.from({ length: MAX_TOKENS }, () => randomToken(random, 18));
    this.exchanges = Array.from({ length: MAX_TOKENS }, () => randomToken(random, 18));
    this.#patientNumbers = new Map(this.patients.map(({ id }, number) => [id, number]));
  }

  /** Returns the number of a patient, or -1 for a patient of another group. */
  patientNumber(id: string): number {
    return this.#patientNumbers.get(id) ?? -1;
  }

  /** Returns the number of a signature, and numbers a new one. */
  signNumber(sign: string): number {
    const known = this.#signs.indexOf(sign);
    return known === -1 ? this.#signs.push(sign) - 1 : known;
  }

  sign(number: number): string {
    return this.#signs[number] ?? 'a signature that nobody has';
  }
}

/** Returns the form in which the EHR server stores a token: SHA-256, here in hexadecimal. */
export function storedForm(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}

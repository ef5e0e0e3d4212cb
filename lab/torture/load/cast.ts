/** The invented users, patients and tokens of one group. The ledger has the names of the model for them. */
import { createHash } from 'node:crypto';
import { PATIENT_COUNT } from '#conformance/roles/ehr-server/world/model/draw-steps.ts';
import type { WireNames } from '../../steps.ts';
import { identityOf, patientOf } from '../world/patients.ts';

export type Secret = { user: string; password: string };

/** Lifetime of the sessions in minutes: none runs out during a run. */
const TTL_MINUTES = 7 * 24 * 60;

export class Cast {
  readonly group: number;
  /** Name of the model to the user on the wire. */
  readonly users = new Map<string, string>();
  /** The stored form of each token that was sent, to its name. */
  readonly stored = new Map<string, string>();
  readonly #seed: number;
  readonly #signs: string[] = [];

  constructor(group: number, seed: number) {
    this.group = group;
    this.#seed = seed;
  }

  /** Returns what the names of a step are called on the wire. `sign` is the signature that is sent. */
  namesFor(secret: Secret, sign: number): WireNames {
    return {
      user: (name) => this.#user(name),
      token: (name) => this.#token(name),
      exchangeToken: (name) => this.#token(name),
      properties: (patient) =>
        identityOf(patient === undefined ? undefined : patientOf(this.#patient(patient))),
      sign: () => this.#signs[sign] ?? 'a signature that nobody has',
      ttl: () => TTL_MINUTES,
      secret,
    };
  }

  /** Returns the name of a patient in the model. */
  patientName(id: string): string {
    const names = Array.from({ length: PATIENT_COUNT }, (_, index) => `p${index}`);
    return names.find((name) => patientOf(this.#patient(name)).id === id) ?? 'a patient of another group';
  }

  /** Returns the number of a signature, and numbers a new one. */
  signNumber(sign: string): number {
    const known = this.#signs.indexOf(sign);
    return known === -1 ? this.#signs.push(sign) - 1 : known;
  }

  #user(name: string): string {
    const user = `torture-${this.group}-${name}`;
    this.users.set(name, user);
    return user;
  }

  #token(name: string): string {
    const token = createHash('sha256').update(`${this.#seed}/${this.group}/${name}`).digest('base64url');
    this.stored.set(storedForm(token), name);
    return token;
  }

  #patient(name: string): number {
    return this.group * PATIENT_COUNT + Number(name.slice(1));
  }
}

/** Returns the form in which the EHR server stores a token: SHA-256, here in hexadecimal. */
export function storedForm(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}

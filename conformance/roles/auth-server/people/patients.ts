/** The patients of the kit's EHR server, with properties that are easy to find where they leak. */
import type { LocalMis } from '#ehr-server/mis/mis.ts';
import { personas } from '#mis-fixtures/personas.ts';
import type { Patient } from '#protocol/wire/fields.ts';

/** Keeps whose signature is long, and draws it at the link of that patient alone. */
export class LongSigns {
  /** By the phone of a patient: how many bytes the next signature has. */
  readonly #bytes = new Map<string, number>();
  /** The sizes of the signatures of those who were found. Each is drawn right after its search, in this order. */
  readonly #due: (number | undefined)[] = [];

  /** Gives this patient, at the next link, a signature of this many bytes. Base64url is a third longer. */
  give({ phones }: Pick<Patient, 'phones'>, bytes: number): void {
    for (const phone of phones) this.#bytes.set(phone, bytes);
  }

  /** Notes in each search for a patient how long the signature will be. */
  noting(mis: LocalMis): LocalMis {
    return {
      ...mis,
      match: (query) => {
        const found = mis.match(query);
        if (found.length === 1) this.#due.push(this.#bytes.get(query.phone ?? ''));
        return found;
      },
    };
  }

  /** How many bytes to draw for a signature at this moment; undefined: as many as usual. */
  take(): number | undefined {
    return this.#due.shift();
  }
}

/** The beginnings of all properties of patients, and what they are: checks search for them. */
export const patientStems: ReadonlyMap<string, string> = new Map([
  ['Quokkabergström', 'the surname'],
  ['Zanzibarina', 'the given name'],
  ['48601777', "the patient's phone"],
  ['1931-07-', 'the date of birth'],
  ['WOMBAT-CARD-', 'the medical card number'],
]);

export function patientNumber(index: number): Patient {
  const number = String(index).padStart(3, '0');
  return {
    ...personas.anna.patients[0],
    id: `p-${number}`,
    surname: `Quokkabergström-${number}`,
    name: `Zanzibarina-${number}`,
    phones: [`48601777${number}`],
    birthdate: `1931-07-${String((index % 28) + 1).padStart(2, '0')}`,
    medcardNumber: `WOMBAT-CARD-${number}`,
  };
}

export const PATIENT_COUNT = 1_000;

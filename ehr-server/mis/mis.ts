/** The interface of the medical information system (MIS), where patients are identified and read. */

import type { MaybePromise } from '#protocol/methods/pipeline.ts';
import type { Patient } from '#protocol/wire/fields.ts';

/**
 * A search for a patient. All values are keys of `protocol/wire/matching.ts`, compared by plain equality. An
 * absent member restricts nothing.
 */
export type MatchQuery =
  | {
      strategy: 'PHONE';
      surname?: string | undefined;
      name?: string | undefined;
      /** `YYYY-MM-DD` */
      day?: string | undefined;
      phone?: string | undefined;
      /** Must equal the stored code, also when that is 3 (unknown). */
      gender?: number | undefined;
    }
  | { strategy: 'MEDCARD'; card: string; phone: string };

/**
 * Looks up patients. Three rules hold for every implementation:
 * - An inactive (`active: false`) or deceased patient never matches. The record can still be read by its id.
 * - A patient with several phones fits with any of them.
 * - A PHONE query with neither phone nor day matches nobody: a name alone identifies no one, and a search by
 *   name would read the whole population.
 */
export type Mis = {
  /**
   * Ids of the patients that fit: none, one, or two. Two mean "more than one" (decision 28,
   * patient_not_matched).
   */
  match(query: MatchQuery): MaybePromise<string[]>;
  /** The record of a patient, or undefined when the MIS holds none of this id. */
  get(patientId: string): MaybePromise<Patient | undefined>;
  /** The record as the stored JSON text, to be sent unchanged. */
  record(patientId: string): MaybePromise<string | undefined>;
  /** End the reads under way, as `endReads` of the store does. */
  endReads?(): void;
  /** Throws when the MIS cannot answer. Readiness uses it. */
  check(): MaybePromise<void>;
  close(): MaybePromise<void>;
};

/** A MIS that answers at once, without a promise. */
export type LocalMis = {
  [M in keyof Mis]: (...given: Parameters<Required<Mis>[M]>) => Awaited<ReturnType<Required<Mis>[M]>>;
};

/** The most ids that a match returns: two are enough to know that more than one patient fits. */
export const MAX_MATCHES = 2;

/** Whether a patient takes part in matching. */
export function canMatch(patient: Patient): boolean {
  return patient.active && !patient.deceased;
}

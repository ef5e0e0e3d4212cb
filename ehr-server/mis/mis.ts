/** The medical information system as the EHR server sees it: where a patient is identified and read, whatever stores the records. */
import type { Patient } from '#protocol/fields.ts';
import type { MaybePromise } from '#protocol/maybe-promise.ts';

/**
 * What is searched for. All values are keys of `protocol/matching.ts`, so comparing is plain equality; a member that is
 * absent restricts nothing.
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
 * Looks patients up. Three rules hold for every implementation:
 * - A patient who is inactive (`active: false`) or deceased never matches; the record can still be read by its id.
 * - A patient with several phones fits with any of them.
 * - A PHONE query with neither phone nor day matches nobody: a name alone identifies no one, and looking for it would
 *   read the whole population.
 */
export type Mis = {
  /** The ids of the patients who fit: none, one, or two. Two mean "more than one" (decision 28, patient_not_matched). */
  match(query: MatchQuery): MaybePromise<string[]>;
  /** The record of a patient, or undefined when the MIS holds none of this id. */
  get(patientId: string): MaybePromise<Patient | undefined>;
  /** The same as the JSON text that is stored, to be served as it stands. */
  record(patientId: string): MaybePromise<string | undefined>;
  /** Throws when the MIS cannot answer; for readiness. */
  check(): MaybePromise<void>;
  close(): MaybePromise<void>;
};

/** A MIS that answers at once, without a promise. */
export type LocalMis = {
  match(query: MatchQuery): string[];
  get(patientId: string): Patient | undefined;
  record(patientId: string): string | undefined;
  check(): void;
  close(): void;
};

/** As many ids as a match returns at most. */
export const MAX_MATCHES = 2;

/** Whether a patient takes part in matching at all. */
export function canMatch(patient: Patient): boolean {
  return patient.active && !patient.deceased;
}

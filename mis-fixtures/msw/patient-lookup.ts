/** Which patient the properties of authenticate identify (decisions 23 to 28), over a handful of records in memory. */
import { RpcError } from '#protocol/errors.ts';
import type { Patient, PatientProperties } from '#protocol/fields.ts';
import { cardKey, dayKey, nameKey, phoneKey } from '#protocol/matching.ts';

/** As authenticate takes them: strategy and card number stand among the properties or beside them. */
export type IdentifyingParams = {
  patientProperties: PatientProperties;
  searchStrategy?: 'PHONE' | 'MEDCARD' | null | undefined;
  medCardId?: string | null | undefined;
};

export type PatientLookup = {
  /**
   * The ids of all patients who fit; inactive and deceased ones never do.
   * @throws RpcError `invalid_params` when a required property is missing or two places contradict each other
   */
  find(params: IdentifyingParams): string[];
  get(id: string): Patient | undefined;
};

/** What decision 23 requires. */
const REQUIRED = ['name', 'surname', 'date', 'phone'] as const;

export function createPatientLookup(patients: readonly Patient[]): PatientLookup {
  const records = new Map(patients.map((patient) => [patient.id, patient]));
  return {
    find(params) {
      const fits = conditionOf(params);
      return [...records.values()].filter((one) => one.active && !one.deceased && fits(one)).map(({ id }) => id);
    },
    get: (id) => records.get(id),
  };
}

function conditionOf({ patientProperties: properties, ...beside }: IdentifyingParams): (patient: Patient) => boolean {
  const strategy = oneOf('searchStrategy', beside.searchStrategy, properties.searchStrategy) ?? 'PHONE';
  const card = oneOf('medCardId', beside.medCardId, properties.medCardId);
  const { name, surname, date, gender, phone } = properties;
  const hasPhone = ({ phones }: Patient) => phones.some((one) => isSame(phoneKey, one, phone));
  if (strategy === 'MEDCARD') {
    refuseMissing({ medCardId: card, phone }, ['medCardId', 'phone']);
    return (patient) =>
      patient.medcardNumber !== null && isSame(cardKey, patient.medcardNumber, card) && hasPhone(patient);
  }
  refuseMissing(properties, REQUIRED);
  return (patient) =>
    hasPhone(patient) &&
    isSame(dayKey, patient.birthdate, date) &&
    isSame(nameKey, patient.surname, surname) &&
    isSame(nameKey, patient.name, name) &&
    (gender === undefined || gender === patient.gender);
}

function isSame(keyOf: (text: string) => string | undefined, stored: string, typed: string | undefined): boolean {
  const key = typed === undefined ? undefined : keyOf(typed);
  return key !== undefined && keyOf(stored) === key;
}

function oneOf<Value>(
  name: string,
  beside: Value | null | undefined,
  among: Value | null | undefined,
): Value | undefined {
  if (beside != null && among != null && beside !== among) {
    throw new RpcError('invalid_params', {
      errors: [`params.${name} and params.patientProperties.${name} contradict each other`],
    });
  }
  return beside ?? among ?? undefined;
}

function refuseMissing<Name extends string>(
  given: { readonly [Member in Name]?: unknown },
  names: readonly Name[],
): void {
  const missing = names.filter((name) => given[name] === undefined);
  if (missing.length === 0) return;
  throw new RpcError('invalid_params', {
    errors: missing.map((name) => `params.patientProperties.${name}: is required`),
  });
}

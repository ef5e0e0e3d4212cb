/**
 * Finds the patient whom the properties of authenticate identify (decisions 23 to 28), among a few records in
 * memory.
 */
import { RpcError } from '#protocol/errors.ts';
import type { Patient, PatientProperties } from '#protocol/fields.ts';
import { cardKey, dayKey, nameKey, phoneKey } from '#protocol/matching.ts';

/** The parameters of authenticate: strategy and card number stand among the properties or beside them. */
export type IdentifyingParams = Pick<PatientProperties, 'searchStrategy' | 'medCardId'> & {
  patientProperties: PatientProperties;
};

export type PatientLookup = {
  /**
   * Returns the ids of all matching patients. Inactive and deceased ones never match.
   * @throws RpcError `invalid_params` when a required property is missing or two places contradict each other
   */
  find(params: IdentifyingParams): string[];
  get(id: string): Patient | undefined;
};

/** The properties that decision 23 requires. */
const REQUIRED_PROPERTIES = ['name', 'surname', 'date', 'phone'] as const;

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
    refuse([
      ...(card === undefined ? ['params.medCardId: is required with searchStrategy MEDCARD'] : []),
      ...(phone === undefined ? ['params.patientProperties.phone: is required'] : []),
    ]);
    return (patient) =>
      patient.medcardNumber !== null && isSame(cardKey, patient.medcardNumber, card) && hasPhone(patient);
  }
  const missing = REQUIRED_PROPERTIES.filter((name) => properties[name] === undefined);
  refuse(missing.map((name) => `params.patientProperties.${name}: is required`));
  return (patient) =>
    hasPhone(patient) &&
    isSame(dayKey, patient.birthdate, date) &&
    isSame(nameKey, patient.surname, surname) &&
    isSame(nameKey, patient.name, name) &&
    (gender == null || gender === patient.gender);
}

function isSame(keyOf: (text: string) => string | undefined, stored: string, typed: string | undefined): boolean {
  const key = typed === undefined ? undefined : keyOf(typed);
  return key !== undefined && keyOf(stored) === key;
}

type MaybeEmpty<Value> = Value | '' | null | undefined;

function oneOf<Value extends string>(
  name: string,
  beside: MaybeEmpty<Value>,
  among: MaybeEmpty<Value>,
): Value | undefined {
  const [outer, inner] = [present(beside), present(among)];
  const isClash = outer !== undefined && inner !== undefined && outer !== inner;
  refuse(isClash ? [`params.${name} and params.patientProperties.${name} contradict each other`] : []);
  return outer ?? inner;
}

/** Treats an empty value as absent (decision 30). */
function present<Value extends string>(value: MaybeEmpty<Value>): Value | undefined {
  return value == null || value.trim() === '' ? undefined : (value as Value);
}

function refuse(errors: string[]): void {
  if (errors.length > 0) throw new RpcError('invalid_params', { errors });
}

/** A MIS of some patients in memory: for mocks, tests and the conformance kit. It needs no database. */
import type { Patient } from '#protocol/wire/fields.ts';
import { keysOf, type PatientKeys } from './keys.ts';
import { canMatch, type LocalMis, MAX_MATCHES, type MatchQuery } from './mis.ts';

/**
 * Create a MIS that holds these patients.
 * @example createMemoryMis([anna]).match({ strategy: 'PHONE', phone: '79990000001' }) // ['p-anna']
 */
export function createMemoryMis(patients: Iterable<Patient>): LocalMis {
  const records = new Map<string, Patient>();
  for (const patient of patients) records.set(patient.id, patient);
  const candidates = [...records.values()]
    .filter(canMatch)
    .map((patient) => ({ id: patient.id, keys: keysOf(patient) }));
  return {
    match(query) {
      const fitting = candidates.filter(({ keys }) => fits(keys, query)).map(({ id }) => id);
      return fitting.slice(0, MAX_MATCHES);
    },
    get: (patientId) => records.get(patientId),
    record: (patientId) => JSON.stringify(records.get(patientId)),
    check: () => undefined,
    close: () => undefined,
  };
}

function fits(keys: PatientKeys, query: MatchQuery): boolean {
  if (query.strategy === 'MEDCARD') return keys.card === query.card && keys.phones.includes(query.phone);
  const { surname, name, day, phone, gender } = query;
  if (day === undefined && phone === undefined) return false;
  return (
    (surname === undefined || surname === keys.surname) &&
    (name === undefined || name === keys.name) &&
    (day === undefined || day === keys.day) &&
    (phone === undefined || keys.phones.includes(phone)) &&
    (gender === undefined || gender === keys.gender)
  );
}

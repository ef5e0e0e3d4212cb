/**
 * Patients to search for, drawn evenly from a population. Each is identified uniquely by their properties.
 */
import { matchQuery } from '#ehr-server/match-patient.ts';
import type { MatchQuery } from '#ehr-server/mis/mis.ts';
import { openSqliteMis } from '#ehr-server/mis/sqlite.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { openSqlite } from '#service/sqlite.ts';
import { patientIdOf } from './identities.ts';

export type Drawn = {
  /** The number of the user who is, or would be, linked to the patient. */
  user: number;
  patient: Patient;
  query: MatchQuery;
};

const REQUIRED_PROPERTIES = ['name', 'surname', 'date', 'phone'] as const;

/**
 * Draws about `count` patients out of the `patients` of a population file. Fewer are returned where a search
 * does not find some.
 */
export function drawPatients(file: string, patients: number, count: number): Drawn[] {
  const database = openSqlite(file, { readonly: true });
  try {
    const mis = openSqliteMis(database);
    const step = Math.max(1, Math.floor(patients / count));
    const drawn: Drawn[] = [];
    for (let user = 0; user < patients && drawn.length < count; user += step) {
      const patient = mis.get(patientIdOf(user));
      if (!patient) continue;
      const query = queryOf(patient);
      const found = mis.match(query);
      if (found.length === 1 && found[0] === patient.id) drawn.push({ user, patient, query });
    }
    return drawn;
  } finally {
    database.close();
  }
}

function queryOf({ name, surname, birthdate, phones }: Patient): MatchQuery {
  const date = `${birthdate.slice(0, 10)} 00:00:00.000`;
  const patientProperties = { name, surname, date, phone: (phones[0] ?? '').replace(/\D/g, '') };
  return matchQuery({ patientProperties }, [...REQUIRED_PROPERTIES]);
}

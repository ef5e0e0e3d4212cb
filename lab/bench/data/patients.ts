/** Searches that each find one patient of a population, drawn evenly from it. */
import { matchQuery } from '#ehr-server/match-patient.ts';
import type { MatchQuery } from '#ehr-server/mis/mis.ts';
import { openSqliteMis } from '#ehr-server/mis/sqlite.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { openSqlite } from '#service/sqlite.ts';
import { patientIdOf } from './identities.ts';

const REQUIRED_PROPERTIES = ['name', 'surname', 'date', 'phone'] as const;

/** Draws about `count` searches for the `patients` of a file. Fewer are returned where some find several. */
export function drawQueries(file: string, patients: number, count: number): MatchQuery[] {
  const database = openSqlite(file, { readonly: true });
  try {
    const mis = openSqliteMis(database);
    const step = Math.max(1, Math.floor(patients / count));
    const drawn: MatchQuery[] = [];
    for (let user = 0; user < patients && drawn.length < count; user += step) {
      const patient = mis.get(patientIdOf(user));
      const query = patient && queryOf(patient);
      const found = query ? mis.match(query) : [];
      if (query && found.length === 1 && found[0] === patient.id) drawn.push(query);
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

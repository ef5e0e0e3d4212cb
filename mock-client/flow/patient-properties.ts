/** Converts the identification form for the EHR server (§2.5, decision 28). */
import type { PatientProperties } from '#protocol/wire/fields.ts';
import type { Draft } from './state.ts';

/**
 * Returns the properties that identify the patient. By name: name, surname, the day of birth as `YYYY-MM-DD
 * 00:00:00.000`, phone, and gender when it is stated. By card: the card number and the phone.
 */
export function patientPropertiesOf(draft: Draft): PatientProperties {
  const { strategy, name, surname, date, gender, phone, medCardId } = draft;
  if (strategy === 'MEDCARD') return { searchStrategy: 'MEDCARD', medCardId, phone };
  return { name, surname, date: `${date} 00:00:00.000`, ...(gender !== undefined && { gender }), phone };
}

/** What parties must offer for a flow besides the interface, each with the reason to leave the flow out. */
import type { KnownPerson } from '#conformance/roles/ehr-server/settings.ts';
import type { Parties } from '../parties/open.ts';
import type { Need } from './flow.ts';

/** Longest pause (seconds) between two codes that a flow waits out in real time. */
const MAX_RESEND_WAIT_SECONDS = 5;

export const ehrClock: Need = ({ ehr }) => (ehr.advance ? undefined : 'no movable clock of the EHR server');

export const authClock: Need = ({ auth }) =>
  auth.advance ? undefined : 'no movable clock of the authorization server';

export const ehrRestart: Need = ({ ehr }) =>
  ehr.restart ? undefined : 'the EHR server cannot be restarted, or would lose its state';

export const authRestart: Need = ({ auth }) =>
  auth.restart ? undefined : 'the authorization server cannot be restarted, or would lose its state';

/** A second code for one phone, at once or after a short pause. */
export const secondCode: Need = ({ auth: { advance, resendAfterSeconds } }) =>
  advance || resendAfterSeconds <= MAX_RESEND_WAIT_SECONDS
    ? undefined
    : 'no movable clock of the authorization server';

export const twins: Need = ({ ehr: { people } }) =>
  twinsIn(people.matching) ? undefined : 'no two patients of one day and phone in people.matching';

export const ambiguousPatient: Need = ({ ehr: { people } }) =>
  people.ambiguous ? undefined : 'nobody in people.ambiguous';

export const phoneWithoutEntry: Need = ({ auth }) =>
  auth.phoneWithoutEntry === undefined ? 'nobody in people.withoutCorrespondence' : undefined;

export const removableEntry: Need = ({ auth }) =>
  auth.removeEntry ? undefined : 'no step removeCorrespondence';

/** The calls between the two servers can be seen and cut. */
export const internalChannel: Need = ({ seesInternal }) =>
  seesInternal ? undefined : 'the calls between the two servers stay in memory';

/** Every flow needs it, since each signs somebody in: the kit reads the codes by itself. */
export const readableCodes: Need = ({ auth }) =>
  auth.tellsCodes ? undefined : 'a person types in the codes, or does the steps';

/** A record that no patient has, although all of it but the surname is right. */
export const mistyped = (record: KnownPerson): KnownPerson => ({ ...record, surname: `${record.surname}x` });

type Patients = Parties['ehr']['people']['matching'];

/** Two patients who agree in the day of birth and the phone. */
export function twinsIn(patients: Patients): [Patients[number], Patients[number]] | undefined {
  for (const one of patients) {
    const other = patients.find((each) => each !== one && each.date === one.date && each.phone === one.phone);
    if (other) return [one, other];
  }
  return undefined;
}

/**
 * The named personas that documents, demo and tests share: their records, what to type, and the expected
 * outcome. Runs in a browser.
 */
import type { Patient } from '#protocol/wire/fields.ts';
import {
  alyoshin,
  anna,
  boris,
  elena,
  ivan,
  maria,
  nunez,
  oleg,
  otherMaria,
  rufus,
} from './personas/records.ts';

export type PersonaName =
  | 'anna'
  | 'twins'
  | 'namesakes'
  | 'alyoshin'
  | 'nunez'
  | 'rufus'
  | 'orphan'
  | 'boris';

/** Patient properties (§2.5) as a person types them into the identification form. */
export type TypedProperties = {
  name: string;
  surname: string;
  date: string;
  gender: Patient['gender'];
  phone: string;
};

export type Persona = {
  readonly name: PersonaName;
  /** A description in one line. */
  readonly title: string;
  /** The records that the MIS holds. */
  readonly patients: readonly [Patient, ...Patient[]];
  /** What to type, once for each person who can be told apart. */
  readonly typed: readonly [TypedProperties, ...TypedProperties[]];
  /** The phone to sign in with at the authorization server. */
  readonly signIn: string;
  /** The expected outcome, in one sentence. */
  readonly outcome: string;
  /**
   * Whether the authorization server's correspondence table has an entry for this phone's user (decision 18).
   */
  readonly hasCorrespondenceEntry: boolean;
};

/** The personas by name. */
export const personas: Readonly<Record<PersonaName, Persona>> = {
  anna: {
    name: 'anna',
    title: 'An ordinary patient with everything in her record',
    patients: [anna],
    typed: [propertiesOfPatient(anna)],
    signIn: '79990000001',
    outcome: 'Is matched, and the record is shown.',
    hasCorrespondenceEntry: true,
  },
  twins: {
    name: 'twins',
    title: 'Ivan and Oleg, born on the same day, with one phone between them',
    patients: [ivan, oleg],
    typed: [propertiesOfPatient(ivan), propertiesOfPatient(oleg)],
    signIn: '79990000002',
    outcome:
      'The given name decides which of the two is matched; the user of this phone can then link no other.',
    hasCorrespondenceEntry: true,
  },
  namesakes: {
    name: 'namesakes',
    title: 'Two patients who agree in every property',
    patients: [maria, otherMaria],
    typed: [propertiesOfPatient(maria)],
    signIn: '79990000004',
    outcome: 'Is never matched: patient_not_matched, and the reply does not say that there are two.',
    hasCorrespondenceEntry: true,
  },
  alyoshin: {
    name: 'alyoshin',
    title: 'A patient stored with ё who types е',
    patients: [alyoshin],
    typed: [{ ...propertiesOfPatient(alyoshin), name: 'Петр', surname: 'Алешин' }],
    signIn: '79990000005',
    outcome: 'Is matched with either letter.',
    hasCorrespondenceEntry: true,
  },
  nunez: {
    name: 'nunez',
    title: 'A patient stored in composed letters (NFC) whose keyboard sends decomposed ones (NFD)',
    patients: [nunez],
    typed: [
      {
        ...propertiesOfPatient(nunez),
        name: nunez.name.normalize('NFD'),
        surname: nunez.surname.normalize('NFD'),
      },
    ],
    signIn: '34600000006',
    outcome: 'Is matched, although no accented letter is the same bytes.',
    hasCorrespondenceEntry: true,
  },
  rufus: {
    name: 'rufus',
    title: 'A patient with a medical card, for the MEDCARD search strategy',
    patients: [rufus],
    typed: [propertiesOfPatient(rufus)],
    signIn: '8065931458',
    outcome: 'Is matched by his properties, and by card 123456 with the phone.',
    hasCorrespondenceEntry: true,
  },
  orphan: {
    name: 'orphan',
    title: 'A patient whose user the authorization server has no correspondence entry for',
    patients: [elena],
    typed: [propertiesOfPatient(elena)],
    signIn: '79990000007',
    outcome: 'Is matched by the EHR server, and then refused by the authorization server: user_unknown.',
    hasCorrespondenceEntry: false,
  },
  boris: {
    name: 'boris',
    title: 'A second ordinary patient, with two phones',
    patients: [boris],
    typed: [propertiesOfPatient(boris)],
    signIn: '79990000008',
    outcome: 'Is matched, unless his patient is linked to another user or his user to another patient.',
    hasCorrespondenceEntry: true,
  },
};

/** The personas in their order of listing. */
export const personaList: readonly Persona[] = Object.values(personas);

/** The phones and e-mail addresses of those for whom the correspondence table has no entry. */
export const orphans: readonly string[] = personaList
  .filter(({ hasCorrespondenceEntry }) => !hasCorrespondenceEntry)
  .map(({ signIn }) => signIn);

/** The records of all personas. */
export const allPersonaPatients: readonly Patient[] = personaList.flatMap(({ patients }) => patients);

/**
 * Returns the patient properties to type. A persona has its own; a patient's are those of the record, with
 * the first phone and the date of birth in the form of §2.5.
 * @param which index of the person in a persona of several, from 0
 * @throws {RangeError} when the persona has no such person
 * @example propertiesOf(personas.twins, 1).name // 'Oleg'
 */
export function propertiesOf(who: Persona | Patient, which = 0): TypedProperties {
  if (!('typed' in who)) return propertiesOfPatient(who);
  const typed = who.typed[which];
  if (!typed)
    throw new RangeError(
      `The persona ${who.name} has ${who.typed.length} to type; number ${which} is asked for, counted from 0.`,
    );
  return { ...typed };
}

function propertiesOfPatient(patient: Patient): TypedProperties {
  const { name, surname, gender, birthdate, phones } = patient;
  return { name, surname, date: `${birthdate.slice(0, 10)} 00:00:00.000`, gender, phone: phones[0] ?? '' };
}

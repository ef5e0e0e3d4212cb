/** The named personas that documents, demo and tests share: who they are, what to type as them, and what should happen. Runs in a browser. */
import type { Patient } from '#protocol/fields.ts';
import { portrait } from './portrait.ts';

export type PersonaName = 'anna' | 'twins' | 'namesakes' | 'alyoshin' | 'nunez' | 'rufus' | 'orphan' | 'boris';

/** Patient properties (§2.5) as a person types them into the identification form. */
export type TypedProperties = { name: string; surname: string; date: string; gender: Patient['gender']; phone: string };

export type Persona = {
  readonly name: PersonaName;
  /** One line on who this is. */
  readonly title: string;
  /** The records that the MIS holds. */
  readonly patients: readonly [Patient, ...Patient[]];
  /** What to type, once for each person who can be told apart. */
  readonly typed: readonly [TypedProperties, ...TypedProperties[]];
  /** The phone to sign in with at the authorization server. */
  readonly signIn: string;
  /** What should happen, in one sentence. */
  readonly outcome: string;
  /** Whether the authorization server's correspondence table has an entry for this phone's user (decision 18). */
  readonly hasCorrespondenceEntry: boolean;
};

const unremarkable = {
  active: true,
  middleName: null,
  email: null,
  deceased: false,
  maritalStatus: null,
  photo: null,
  familyMembers: [],
  address: null,
  medcardNumber: null,
  insurances: [],
} satisfies Partial<Patient>;

const anna: Patient = {
  ...unremarkable,
  id: 'p-anna',
  surname: 'Petrova',
  name: 'Anna',
  phones: ['79990000001'],
  email: 'anna.petrova@example.org',
  gender: 1,
  birthdate: '1985-04-12',
  maritalStatus: 'married',
  photo: portrait('AP', 340),
  familyMembers: [
    { relation: 'husband', surname: 'Petrov', name: 'Mikhail' },
    { relation: 'daughter', surname: 'Petrova', name: 'Sofia' },
  ],
  address: '12 Linden Lane, Springfield',
  medcardNumber: 'A-1001',
  insurances: [{ company: 'Harbour Health', number: 'HH-448-201-77', validUntil: '2031-12-31' }],
};

const twin = {
  ...unremarkable,
  surname: 'Sidorov',
  phones: ['79990000002'],
  gender: 0,
  birthdate: '2000-02-29',
  maritalStatus: 'single',
  address: '3 Mill Road, Springfield',
} satisfies Partial<Patient>;

const ivan: Patient = {
  ...twin,
  id: 'p-ivan-sidorov',
  name: 'Ivan',
  photo: portrait('IS', 200),
  familyMembers: [{ relation: 'brother', surname: 'Sidorov', name: 'Oleg' }],
  insurances: [{ company: 'Harbour Health', number: 'HH-500-118-01', validUntil: '2030-06-30' }],
};

const oleg: Patient = {
  ...twin,
  id: 'p-oleg-sidorov',
  name: 'Oleg',
  photo: portrait('OS', 160),
  familyMembers: [{ relation: 'brother', surname: 'Sidorov', name: 'Ivan' }],
  insurances: [{ company: 'Harbour Health', number: 'HH-500-118-02', validUntil: '2030-06-30' }],
};

const namesake = {
  ...unremarkable,
  surname: 'Ivanova',
  name: 'Maria',
  phones: ['79990000004'],
  gender: 1,
  birthdate: '1990-01-01',
} satisfies Partial<Patient>;

const maria: Patient = {
  ...namesake,
  id: 'p-maria-ivanova-1',
  maritalStatus: 'married',
  familyMembers: [{ relation: 'husband', surname: 'Ivanov', name: 'Pavel' }],
  address: '41 Station Street, Springfield',
};

const otherMaria: Patient = {
  ...namesake,
  id: 'p-maria-ivanova-2',
  maritalStatus: 'single',
  address: '7 Orchard Close, Lakeside',
};

const alyoshin: Patient = {
  ...unremarkable,
  id: 'p-alyoshin',
  surname: 'Алёшин',
  middleName: 'Сергеевич',
  name: 'Пётр',
  phones: ['79990000005'],
  email: 'alyoshin@example.org',
  gender: 0,
  birthdate: '1979-12-31',
  maritalStatus: 'married',
  photo: portrait('ПА', 30),
  familyMembers: [{ relation: 'wife', surname: 'Алёшина', name: 'Ольга' }],
  address: 'Тверь, ул. Садовая, 18',
  insurances: [{ company: 'Северный полис', number: 'СП-7790014', validUntil: '2029-03-31' }],
};

// Written as escapes, so that no editor can change the composed letters that this record is about.
const nunez: Patient = {
  ...unremarkable,
  id: 'p-nunez',
  surname: 'N\u00fa\u00f1ez-\u00d8deg\u00e5rd',
  name: 'Jos\u00e9',
  phones: ['34600000006'],
  email: 'jose.nunez@example.org',
  gender: 0,
  birthdate: '1968-07-03',
  maritalStatus: 'divorced',
  photo: portrait('JN', 280),
  address: 'Calle Mayor 5, Burgos',
  insurances: [{ company: 'Mutua del Norte', number: 'MN-0068-0703', validUntil: '2032-01-31' }],
};

const rufus: Patient = {
  ...unremarkable,
  id: 'p-rufus',
  surname: 'Shields',
  name: 'Rufus',
  phones: ['8065931458'],
  gender: 0,
  birthdate: '1945-08-15',
  maritalStatus: 'widowed',
  familyMembers: [{ relation: 'son', surname: 'Shields', name: 'Walter' }],
  address: '220 Prairie Avenue, Lubbock',
  medcardNumber: '123456',
  insurances: [
    { company: 'Plains Mutual', number: 'PM-19450815', validUntil: '2028-12-31' },
    { company: 'Veterans Cover', number: 'VC-80659', validUntil: '2035-12-31' },
  ],
};

const elena: Patient = {
  ...unremarkable,
  id: 'p-orphan',
  surname: 'Fomina',
  name: 'Elena',
  phones: ['79990000007'],
  email: 'elena.fomina@example.org',
  gender: 1,
  birthdate: '1972-09-09',
  maritalStatus: 'single',
  photo: portrait('EF', 100),
  address: '9 Quay Street, Lakeside',
  insurances: [{ company: 'Harbour Health', number: 'HH-231-770-90', validUntil: '2030-12-31' }],
};

const boris: Patient = {
  ...unremarkable,
  id: 'p-boris',
  surname: 'Орлов',
  middleName: 'Андреевич',
  name: 'Борис',
  phones: ['79990000008', '78125550108'],
  email: 'orlov@example.org',
  gender: 0,
  birthdate: '1991-07-20',
  maritalStatus: 'single',
  photo: portrait('БО', 220),
  address: 'Псков, Рижский проспект, 40',
  medcardNumber: 'B-2002',
  insurances: [{ company: 'Северный полис', number: 'СП-9107200', validUntil: '2030-09-30' }],
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
    outcome: 'The given name decides which of the two is matched; the user of this phone can then link no other.',
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
      { ...propertiesOfPatient(nunez), name: nunez.name.normalize('NFD'), surname: nunez.surname.normalize('NFD') },
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

/** The personas in the order in which they are listed. */
export const personaList: readonly Persona[] = Object.values(personas);

/** The records of all personas. */
export const allPersonaPatients: readonly Patient[] = personaList.flatMap(({ patients }) => patients);

/**
 * The patient properties to type: of a persona as it types them, of a patient as the record has them, with the first
 * phone and the date of birth in the form of §2.5.
 * @param which the person of a persona of several, counted from 0
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
  return { name, surname, date: `${birthdate} 00:00:00.000`, gender, phone: phones[0] ?? '' };
}

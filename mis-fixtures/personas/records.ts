/** The records of the personas' patients, as the MIS holds them. */
import type { Patient } from '#protocol/wire/fields.ts';

/**
 * Relations in words; the index is the `type` on the wire. The published description has ten numbers and no
 * names.
 */
export const RELATIONS = [
  ...['husband', 'wife', 'son', 'daughter', 'father'],
  ...['mother', 'brother', 'sister', 'spouse', 'child'],
] as const;

const unremarkable = {
  created: '2024-03-01T00:00:00.000Z',
  active: true,
  isActive: true,
  middleName: null,
  email: null,
  deceased: false,
  maritalStatus: 5,
  photo: null,
  familyMembers: [],
  address: null,
  medcardNumber: null,
  insurances: [],
} satisfies Partial<Patient>;

function relative(relation: (typeof RELATIONS)[number], patientId: string, surname: string, name: string) {
  return { type: RELATIONS.indexOf(relation), patientId, relation, surname, name };
}

/** Creates an insurance policy for the ten years up to `lastDay`. */
function policy(companyId: string, company: string, policyNumber: string, lastDay: string) {
  const firstYear = Number(lastDay.slice(0, 4)) - 10;
  const period = { begin: `${firstYear}-01-01T00:00:00.000Z`, end: `${lastDay}T00:00:00.000Z` };
  return { companyId, policyNumber, period, company };
}

export const anna: Patient = {
  ...unremarkable,
  id: 'p-anna',
  surname: 'Petrova',
  name: 'Anna',
  phones: ['79990000001'],
  email: 'anna.petrova@example.org',
  gender: 1,
  birthdate: '1985-04-12T00:00:00.000Z',
  maritalStatus: 1,
  photo: portrait('AP', 340),
  familyMembers: [
    relative('husband', 'p-mikhail-petrov', 'Petrov', 'Mikhail'),
    relative('daughter', 'p-sofia-petrova', 'Petrova', 'Sofia'),
  ],
  address: '12 Linden Lane, Springfield',
  medcardNumber: 'A-1001',
  insurances: [policy('c-harbour', 'Harbour Health', 'HH-448-201-77', '2031-12-31')],
};

const twin = {
  ...unremarkable,
  surname: 'Sidorov',
  phones: ['79990000002'],
  gender: 0,
  birthdate: '2000-02-29T00:00:00.000Z',
  maritalStatus: 2,
  address: '3 Mill Road, Springfield',
} satisfies Partial<Patient>;

export const ivan: Patient = {
  ...twin,
  id: 'p-ivan-sidorov',
  name: 'Ivan',
  photo: portrait('IS', 200),
  familyMembers: [relative('brother', 'p-oleg-sidorov', 'Sidorov', 'Oleg')],
  insurances: [policy('c-harbour', 'Harbour Health', 'HH-500-118-01', '2030-06-30')],
};

export const oleg: Patient = {
  ...twin,
  id: 'p-oleg-sidorov',
  name: 'Oleg',
  photo: portrait('OS', 160),
  familyMembers: [relative('brother', 'p-ivan-sidorov', 'Sidorov', 'Ivan')],
  insurances: [policy('c-harbour', 'Harbour Health', 'HH-500-118-02', '2030-06-30')],
};

const namesake = {
  ...unremarkable,
  surname: 'Ivanova',
  name: 'Maria',
  phones: ['79990000004'],
  gender: 1,
  birthdate: '1990-01-01T00:00:00.000Z',
} satisfies Partial<Patient>;

export const maria: Patient = {
  ...namesake,
  id: 'p-maria-ivanova-1',
  maritalStatus: 1,
  familyMembers: [relative('husband', 'p-pavel-ivanov', 'Ivanov', 'Pavel')],
  address: '41 Station Street, Springfield',
};

export const otherMaria: Patient = {
  ...namesake,
  id: 'p-maria-ivanova-2',
  maritalStatus: 2,
  address: '7 Orchard Close, Lakeside',
};

export const alyoshin: Patient = {
  ...unremarkable,
  id: 'p-alyoshin',
  surname: 'Алёшин',
  middleName: 'Сергеевич',
  name: 'Пётр',
  phones: ['79990000005'],
  email: 'alyoshin@example.org',
  gender: 0,
  birthdate: '1979-12-31T00:00:00.000Z',
  maritalStatus: 1,
  photo: portrait('ПА', 30),
  familyMembers: [relative('wife', 'p-olga-alyoshina', 'Алёшина', 'Ольга')],
  address: 'Тверь, ул. Садовая, 18',
  insurances: [policy('c-northern', 'Северный полис', 'СП-7790014', '2029-03-31')],
};

// Written as escapes, so that no editor can change the composed letters, which are the point of this record.
export const nunez: Patient = {
  ...unremarkable,
  id: 'p-nunez',
  surname: 'N\u00fa\u00f1ez-\u00d8deg\u00e5rd',
  name: 'Jos\u00e9',
  phones: ['34600000006'],
  email: 'jose.nunez@example.org',
  gender: 0,
  birthdate: '1968-07-03T00:00:00.000Z',
  maritalStatus: 0,
  photo: portrait('JN', 280),
  address: 'Calle Mayor 5, Burgos',
  insurances: [policy('c-mutua', 'Mutua del Norte', 'MN-0068-0703', '2032-01-31')],
};

export const rufus: Patient = {
  ...unremarkable,
  id: 'p-rufus',
  surname: 'Shields',
  name: 'Rufus',
  phones: ['8065931458'],
  gender: 0,
  birthdate: '1945-08-15T00:00:00.000Z',
  maritalStatus: 4,
  familyMembers: [relative('son', 'p-walter-shields', 'Shields', 'Walter')],
  address: '220 Prairie Avenue, Lubbock',
  medcardNumber: '123456',
  insurances: [
    policy('c-plains', 'Plains Mutual', 'PM-19450815', '2028-12-31'),
    policy('c-veterans', 'Veterans Cover', 'VC-80659', '2035-12-31'),
  ],
};

export const elena: Patient = {
  ...unremarkable,
  id: 'p-orphan',
  surname: 'Fomina',
  name: 'Elena',
  phones: ['79990000007'],
  email: 'elena.fomina@example.org',
  gender: 1,
  birthdate: '1972-09-09T00:00:00.000Z',
  maritalStatus: 2,
  photo: portrait('EF', 100),
  address: '9 Quay Street, Lakeside',
  insurances: [policy('c-harbour', 'Harbour Health', 'HH-231-770-90', '2030-12-31')],
};

export const boris: Patient = {
  ...unremarkable,
  id: 'p-boris',
  surname: 'Орлов',
  middleName: 'Андреевич',
  name: 'Борис',
  phones: ['79990000008', '78125550108'],
  email: 'orlov@example.org',
  gender: 0,
  birthdate: '1991-07-20T00:00:00.000Z',
  maritalStatus: 2,
  photo: portrait('БО', 220),
  address: 'Псков, Рижский проспект, 40',
  medcardNumber: 'B-2002',
  insurances: [policy('c-northern', 'Северный полис', 'СП-9107200', '2030-09-30')],
};

/**
 * Returns a data URL of a square SVG picture with initials in it.
 * @param hue hue of the background in degrees, dark enough to contrast with the white letters
 */
function portrait(initials: string, hue: number): string {
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" role="img"><rect width="96" height="96" fill="hsl(${hue},45%,32%)"/>` +
    `<text x="48" y="60" font-family="sans-serif" font-size="36" text-anchor="middle" fill="#fff">${initials}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

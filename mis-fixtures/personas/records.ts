/** The records of the personas' patients, as the MIS holds them. */
import type { Patient } from '#protocol/fields.ts';
import { portrait } from './portrait.ts';

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

export const anna: Patient = {
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

export const ivan: Patient = {
  ...twin,
  id: 'p-ivan-sidorov',
  name: 'Ivan',
  photo: portrait('IS', 200),
  familyMembers: [{ relation: 'brother', surname: 'Sidorov', name: 'Oleg' }],
  insurances: [{ company: 'Harbour Health', number: 'HH-500-118-01', validUntil: '2030-06-30' }],
};

export const oleg: Patient = {
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

export const maria: Patient = {
  ...namesake,
  id: 'p-maria-ivanova-1',
  maritalStatus: 'married',
  familyMembers: [{ relation: 'husband', surname: 'Ivanov', name: 'Pavel' }],
  address: '41 Station Street, Springfield',
};

export const otherMaria: Patient = {
  ...namesake,
  id: 'p-maria-ivanova-2',
  maritalStatus: 'single',
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
  birthdate: '1979-12-31',
  maritalStatus: 'married',
  photo: portrait('ПА', 30),
  familyMembers: [{ relation: 'wife', surname: 'Алёшина', name: 'Ольга' }],
  address: 'Тверь, ул. Садовая, 18',
  insurances: [{ company: 'Северный полис', number: 'СП-7790014', validUntil: '2029-03-31' }],
};

// Written as escapes, so that no editor can change the composed letters that this record is about.
export const nunez: Patient = {
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

export const rufus: Patient = {
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

export const elena: Patient = {
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

export const boris: Patient = {
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

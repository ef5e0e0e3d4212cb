/** The invented people of a run. Each value occurs nowhere else: a search finds every leak of it. */
import { anna } from '#mis-fixtures/personas/records.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import type { FormValues } from '../drivers/driver.ts';

export type Person = { signIn: string; form: FormValues; patient: Patient };

const plain = { ...anna, familyMembers: [], photo: null };

const insuredBy = (policyNumber: string): Patient['insurances'] => [
  {
    companyId: 'company-7',
    policyNumber,
    period: { begin: '2020-01-01T00:00:00.000Z', end: '2030-01-01T00:00:00.000Z' },
  },
];

export const people = {
  /** The first person, who acts unless a scenario names another. Cyrillic letters take two bytes in UTF-8. */
  darya: personOf('79031234567', '1987-11-23', {
    ...plain,
    id: 'record-daryana-17',
    middleName: 'Викентьевна',
    insurances: insuredBy('POL-55120943'),
    name: 'Дарьяна',
    surname: 'Канарейкина',
    phones: ['79161112233'],
    gender: 1,
    email: 'daryana.kanareykina@post.example',
    address: '19 Canary Wharf Crescent, Springfield',
    medcardNumber: 'MC-44510873',
  }),
  /** Names of several words with an apostrophe and accents, a leap day, and a gender that is not known. */
  maria: personOf('79035556677', '1976-02-29', {
    ...plain,
    id: 'record-maria-41',
    middleName: 'Annunziata',
    insurances: insuredBy('POL-60417725'),
    name: 'Maria Luísa',
    surname: "D'Aubigné von Vogelweide",
    phones: ['79265554433'],
    gender: 3,
    email: 'm.vogelweide@post.example',
    address: '7 Nightingale Lane, Riverside',
    medcardNumber: 'MC-90134562',
  }),
  /** The other person of one client. The gender 0 may be taken for none. */
  wilhelm: personOf('79037654321', '1962-03-07', {
    ...plain,
    id: 'record-wilhelm-23',
    middleName: 'Ferdinandus',
    insurances: insuredBy('POL-71990358'),
    name: 'Wilhelmus',
    surname: 'Zaunfinker',
    phones: ['4915112345678'],
    gender: 0,
    email: null,
    address: '4 Greenfinch Street, Lakeside',
    medcardNumber: 'MC-77120945',
  }),
  /** The record has the letter ё. This person types е in its place, as many people do. */
  alena: {
    ...personOf('79039876543', '1991-05-14', {
      ...plain,
      id: 'record-alena-58',
      middleName: 'Артемьевна',
      insurances: insuredBy('POL-38214406'),
      name: 'Алёнушка',
      surname: 'Журавлёвская',
      phones: ['79267778899'],
      gender: 1,
      email: 'a.zhuravlevskaya@post.example',
      address: '23 Crane Meadow, Hillside',
      medcardNumber: 'MC-15837264',
    }),
    form: { name: 'Аленушка', surname: 'Журавлевская', date: '1991-05-14', phone: '79267778899', gender: 1 },
  },
} as const satisfies Record<string, Person>;

export type PersonName = keyof typeof people;

export const changedRecord: Patient = {
  ...people.darya.patient,
  surname: 'Соловьянинова',
  email: 'solovyaninova@post.example',
  address: '88 Warbler Street, Springfield',
  medcardNumber: 'MC-70991235',
};

export function ownerOf(text: string): PersonName | undefined {
  const names = Object.keys(people) as PersonName[];
  return names.find((name) => {
    const { id, surname } = people[name].patient;
    const surnames = id === changedRecord.id ? [surname, changedRecord.surname] : [surname];
    return text.includes(id) || surnames.some((each) => text.toLowerCase().includes(each.toLowerCase()));
  });
}

function personOf(signIn: string, day: string, record: Omit<Patient, 'birthdate'>): Person {
  const { name, surname, phones, gender } = record;
  return {
    signIn,
    // The phone of the sign-in is that of the form where a page leaves no choice.
    patient: { ...record, phones: [...phones, signIn], birthdate: `${day}T00:00:00.000Z` },
    form: { name, surname, date: day, phone: phones[0] ?? '', gender },
  };
}

const NAMES_OF_NOBODY = { name: 'Nobodyne', surname: 'Nirgendwer' };
/** The form of Darya with other names, so that the EHR server matches nobody. */
export const fitsNobody: FormValues = { ...people.darya.form, ...NAMES_OF_NOBODY };

/** A form of which no value fits anybody, which must not leak either. */
const nobody: FormValues = { ...NAMES_OF_NOBODY, date: '1901-02-03', phone: '70001112299', gender: 2 };

const forms: readonly FormValues[] = [...Object.values(people).map(({ form }) => form), nobody];

/** Texts that must not reach the authorization server, with their names. */
export function canaries(): ReadonlyMap<string, string> {
  const typed = forms.flatMap((form) => ofForm(form));
  const records = [...Object.values(people).map(({ patient }) => patient), changedRecord];
  const recorded = records.flatMap((patient) => ofRecord(patient));
  return new Map([...recorded, ...typed].filter(([value]) => value.length >= MIN_SOUGHT_CHARS));
}

/** Texts of which no hash must reach it: the canaries, and values of a form that are put together. */
export function hashedTexts(): ReadonlyMap<string, string> {
  const joined = forms.flatMap((form) =>
    orders((['name', 'surname', 'date', 'phone'] as const).map((what) => [form[what], what])).flatMap(
      (parts) => {
        const what = parts.map(([, name]) => name).join(' and ');
        return SEPARATORS.map((between): Named => [parts.map(([value]) => value).join(between), what]);
      },
    ),
  );
  const phones = forms.map(({ phone }): Named => [`+${phone}`, 'phone']);
  return new Map([...canaries(), ...phones, ...joined]);
}

const SEPARATORS = ['', ' ', ':', '|', ',', ';', '-', '_', '/', '\n'];

function orders(values: readonly Named[]): Named[][] {
  const longer = (row: Named[]): Named[][] =>
    values
      .filter((value) => !row.includes(value))
      .flatMap((value) => [[...row, value], ...longer([...row, value])]);
  return longer([]).filter(({ length }) => length > 1);
}

/** Shorter values stand in messages by chance. */
const MIN_SOUGHT_CHARS = 6;

type Named = readonly [value: string, name: string];

function ofForm({ name, surname, date, phone }: FormValues): Named[] {
  const [year, month, day] = date.split('-');
  const seconds = String(Date.parse(`${date}T00:00:00Z`) / 1_000);
  const inWords = ['en', 'de', 'ru'].map((language) =>
    new Date(date).toLocaleDateString(language, { dateStyle: 'long', timeZone: 'UTC' }),
  );
  const inNumbers = [`${day}.${month}.${year}`, `${month}/${day}/${year}`, `${year}${month}${day}`];
  const dates = [date, ...inNumbers, seconds, ...inWords];
  return [
    [name, 'name'],
    [surname, 'surname'],
    [phone, 'phone'],
    ...dates.map((each): Named => [each, 'date']),
  ];
}

function ofRecord({ email, insurances, ...record }: Patient): Named[] {
  return [
    [record.name, 'name of the record'],
    [record.surname, 'surname of the record'],
    [record.id, 'id of the record'],
    ...[email ?? '', email?.split('@')[0] ?? ''].map((each): Named => [each, 'e-mail of the record']),
    [record.address ?? '', 'address of the record'],
    [record.medcardNumber ?? '', 'medical card'],
    [record.middleName ?? '', 'middle name of the record'],
    ...insurances.map(({ policyNumber }): Named => [policyNumber, 'policy of the record']),
  ];
}

/** Markup which, where a page takes it for more than a text, gives the page the title {@link RAN}. */
const MARKUP = "<img src=x onerror=document.title='RAN'+'-IT'>";
const RAN = 'RAN-IT';

const { patient } = people.darya;

/** A number that a double rounds to {@link ROUNDED_CHART}. */
const CHART = 9_007_199_254_740_993n;
export const ROUNDED_CHART = String(CHART - 1n);

export const markedRecord: Patient & { chart: bigint } = {
  ...patient,
  chart: CHART,
  name: 'Дарьяна 漢字 😀',
  middleName: 'Викентьевна\u202e',
  surname: `Канарейкина<b>&amp;</b>${MARKUP}`,
  address: '19 Canary Wharf Crescent\nSpringfield\u0007',
};

export const sparseRecord = {
  id: patient.id,
  name: patient.name,
  surname: patient.surname,
  phones: [],
  gender: null,
  email: '',
  address: null,
} as unknown as Patient;

export function markupIn(shown: string): 'ran' | 'text' | undefined {
  if (shown.includes(RAN)) return 'ran';
  return shown.toLowerCase().includes(MARKUP.toLowerCase()) ? 'text' : undefined;
}

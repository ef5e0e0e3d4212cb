/** The people of a run: what they type, and what their records hold. Each value occurs nowhere else. */
import { createHash } from 'node:crypto';
import { anna } from '#mis-fixtures/personas/records.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import type { FormValues } from './driver.ts';

/** A person with the phone of the sign-in, the form, and the record. */
export type Person = { signIn: string; form: FormValues; patient: Patient };

const plain = { ...anna, familyMembers: [], insurances: [], photo: null };

export const people = {
  /** A name whose letters are longer in UTF-8 than in characters. */
  darya: personOf('79031234567', '1987-11-23', {
    ...plain,
    id: 'record-daryana-17',
    name: 'Дарьяна',
    surname: 'Канарейкина',
    phones: ['79161112233'],
    gender: 1,
    email: 'daryana.kanareykina@post.example',
    address: '19 Canary Wharf Crescent, Springfield',
    medcardNumber: 'MC-44510873',
  }),
  wilhelm: personOf('79037654321', '1962-03-07', {
    ...plain,
    id: 'record-wilhelm-23',
    name: 'Wilhelmus',
    surname: 'Zaunfinker',
    phones: ['4915112345678'],
    gender: 0,
    email: 'w.zaunfinker@post.example',
    address: '4 Greenfinch Street, Lakeside',
    medcardNumber: 'MC-77120945',
  }),
} as const satisfies Record<string, Person>;

function personOf(signIn: string, day: string, record: Omit<Patient, 'birthdate'>): Person {
  const { name, surname, phones, gender } = record;
  return {
    signIn,
    patient: { ...record, birthdate: `${day}T00:00:00.000Z` },
    form: { name, surname, date: day, phone: phones[0] ?? '', gender },
  };
}

/** A form that fits nobody. */
const nobody: FormValues = {
  name: 'Nobodyne',
  surname: 'Nirgendwer',
  date: '1901-02-03',
  phone: '70001112299',
  gender: 2,
};

/** Texts of patients that must not reach the authorization server, in every spelling: value to name. */
export function canaries(): ReadonlyMap<string, string> {
  const typed = [...Object.values(people).map(({ form }) => form), nobody].flatMap((form) => ofForm(form));
  const recorded = Object.values(people).flatMap(({ patient }) => ofRecord(patient));
  const sought = [...typed, ...recorded].filter(([value]) => value.length >= MIN_SOUGHT_CHARS);
  return new Map([...sought, ...sought.flatMap(([value, name]) => hashesOf(value, name))]);
}

/** Shorter values would be found by chance. */
const MIN_SOUGHT_CHARS = 6;

type Named = readonly [value: string, name: string];

function ofForm({ name, surname, date, phone }: FormValues): Named[] {
  const [year, month, day] = date.split('-');
  const dates = [date, `${day}.${month}.${year}`, `${month}/${day}/${year}`, `${year}${month}${day}`];
  return [[name, 'name'], [surname, 'surname'], [phone, 'phone'], ...dates.map((each): Named => [each, 'date'])];
}

function ofRecord({ id, email, address, medcardNumber }: Patient): Named[] {
  return [
    [id, 'id of the record'],
    [email ?? '', 'e-mail of the record'],
    [address ?? '', 'address of the record'],
    [medcardNumber ?? '', 'medical card'],
  ];
}

function hashesOf(value: string, name: string): Named[] {
  return ['md5', 'sha1', 'sha256'].flatMap((algorithm) => {
    const hash = createHash(algorithm).update(value).digest();
    return [hash.toString('hex'), hash.toString('base64').replace(/=+$/, '')].map(
      (text): Named => [text, `${name} hashed with ${algorithm}`],
    );
  });
}

/**
 * Checks that an EHR server sends the record of the patient who matched: name, day and gender (§4.3, §4.4).
 */
import { check, done, type EhrCheck, nothingNoted } from '../../check.ts';
import type { KnownPerson } from '../../settings.ts';
import { recordIn } from '../../world/answer.ts';
import type { EhrWorld } from '../../world/world.ts';

const READS = ['authenticate', 'read the patient'] as const;

/** Brings a name to the form in which names are compared (decision 26). */
const folded = (name: unknown) =>
  String(name).normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase().replaceAll('ё', 'е');

const hasGender = ({ gender }: KnownPerson) => gender !== undefined;

const isBeyondAscii = ({ name, surname }: KnownPerson) => /[^\x20-\x7e]/.test(`${name}${surname}`);

/**
 * Names the members of a record that differ from the patient of the file. Leaves out the values: they are
 * private.
 */
function differing(record: Record<string, unknown>, { name, surname, date, gender }: KnownPerson): string[] {
  const { birthdate } = record;
  const agreeing = {
    name: folded(record.name) === folded(name),
    surname: folded(record.surname) === folded(surname),
    birthdate: typeof birthdate !== 'string' || birthdate.startsWith(date),
    gender: gender === undefined || record.gender === gender,
  };
  return Object.entries(agreeing).flatMap(([member, isSame]) => (isSame ? [] : [member]));
}

/**
 * A letter that was lost: a question mark in its place, or its UTF-8 bytes read as two letters of Latin-1.
 */
const LOST = /[?\uFFFD]|[ÃÂÐÑ][\u0080-\u00BF]/u;

const lostIn = (record: Record<string, unknown>) =>
  ['name', 'surname'].filter((name) => LOST.test(String(record[name])));

/** Links a patient and reads the record. Notes in the journal what is wrong in each of the two replies. */
async function noteBoth(
  world: EhrWorld<(typeof READS)[number]>,
  person: KnownPerson,
  wrongIn: (record: Record<string, unknown>) => string[],
): Promise<void> {
  const { session, reply } = await world.signIn('authenticate', { person });
  const read = await world.getPatient('read the patient', session);
  world.observe('authenticate', { fault: wrongIn(recordIn(reply)).join(', ') });
  world.observe('read the patient', { fault: wrongIn(recordIn(read.reply)).join(', ') });
}

export const recordOfPatientChecks: readonly EhrCheck[] = [
  check({
    id: 'names-keep-their-letters',
    title: 'Names beyond ASCII come back with their letters',
    requirements: ['K-text-whole'],
    expect: { authenticate: done, 'read the patient': done },
    async play(world) {
      const person = await world.patient(isBeyondAscii, 'patient with letters beyond ASCII in the name');
      await noteBoth(world, person, lostIn);
    },
    judge: nothingNoted('the letters of the name, in UTF-8', ...READS),
    advice: 'Read and write names as UTF-8 from the database to the reply.',
  }),
  check({
    id: 'record-agrees-with-match',
    title: 'The record has the name, the day of birth and the gender by which the patient matched',
    requirements: ['D29-patient-record'],
    expect: { authenticate: done, 'read the patient': done },
    async play(world) {
      // Where no gender is known, the rest of the record is compared all the same.
      const person = await world.preferably(hasGender);
      await noteBoth(world, person, (record) => differing(record, person));
    },
    judge: nothingNoted('the properties that matched', ...READS),
    advice:
      'Send names and gender as they are stored, and the day of birth as a day that no time zone moves.',
  }),
];

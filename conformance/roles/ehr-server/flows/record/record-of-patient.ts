/**
 * Checks that an EHR server sends the record of the patient who matched (§4.3, §4.4).
 */
import { check, done, type EhrCheck, nothingNoted } from '../../check.ts';
import type { KnownPerson } from '../../settings.ts';
import { recordIn } from '../../world/answer.ts';
import type { EhrWorld } from '../../world/world.ts';

const READS = ['authenticate', 'read the patient'] as const;

/** Brings a name to the form in which names are compared (decision 26). */
const folded = (name: unknown) =>
  String(name).normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase().replaceAll('ё', 'е');

const isBeyondAscii = ({ name, surname }: KnownPerson) => /[^\x20-\x7e]/.test(`${name}${surname}`);

/** Says so where a record with both names has neither of the patient of the file. */
function differing({ name, surname }: Record<string, unknown>, person: KnownPerson): string[] {
  const isNamed = typeof name === 'string' && typeof surname === 'string';
  const isOther = folded(name) !== folded(person.name) && folded(surname) !== folded(person.surname);
  return isNamed && isOther ? ['the names of somebody else'] : [];
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
    title: 'The record is that of the patient who matched',
    requirements: ['K-record-of-patient', '4.4-record-and-sign'],
    expect: { authenticate: done, 'read the patient': done },
    async play(world) {
      const person = await world.patient();
      await noteBoth(world, person, (record) => differing(record, person));
    },
    judge: nothingNoted('the names that matched', ...READS),
    advice: 'Read the record by the patient of the link, and by nothing else.',
  }),
];

/** Whether the record in a reply is that of the patient who matched: name, day and gender (§4.3, §4.4). */
import { isObject } from '#protocol/wire/envelope.ts';
import { check, done, type EhrCheck, nothingNoted } from '../../check.ts';
import type { KnownPerson } from '../../settings.ts';
import { propertiesOf } from '../../world/patients.ts';
import type { Called, EhrWorld } from '../../world/world.ts';

const READS = ['authenticate', 'read the patient'] as const;

/** As names are compared (decision 26). */
const folded = (name: unknown) =>
  String(name).normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase().replaceAll('ё', 'е');

const hasGender = ({ gender }: KnownPerson) => gender !== undefined;

const isBeyondAscii = ({ name, surname }: KnownPerson) => /[^\x20-\x7e]/.test(`${name}${surname}`);

function recordIn({ reply }: Called): Record<string, unknown> {
  const { patient } = isObject(reply?.result) ? reply.result : {};
  return isObject(patient) ? patient : {};
}

/** The members whose values differ from those that matched, without the values. */
function differing(record: Record<string, unknown>, { name, surname, date, gender }: KnownPerson): string[] {
  const { birthdate } = record;
  return [
    ...(folded(record.name) === folded(name) ? [] : ['name']),
    ...(folded(record.surname) === folded(surname) ? [] : ['surname']),
    ...(typeof birthdate !== 'string' || birthdate.startsWith(date) ? [] : ['birthdate']),
    ...(gender === undefined || record.gender === gender ? [] : ['gender']),
  ];
}

/** A letter that was lost: a mark in its place, or its bytes taken for letters of their own. */
const LOST = /[?\uFFFD]|[ÃÂÐÑ][\u0080-\u00BF]/u;

const lostIn = (record: Record<string, unknown>) =>
  ['name', 'surname'].filter((name) => LOST.test(String(record[name])));

async function noteBoth(
  world: EhrWorld<(typeof READS)[number]>,
  person: KnownPerson,
  wrongIn: (record: Record<string, unknown>) => string[],
): Promise<void> {
  const pending = await world.pending({ person });
  const first = await world.authenticate('authenticate', pending, propertiesOf(person));
  const second = await world.getPatient('read the patient', pending.session);
  for (const [label, called] of [
    ['authenticate', first],
    ['read the patient', second],
  ] as const)
    world.observe(label, { fault: wrongIn(recordIn(called)).join(', ') });
}

export const recordOfPatientChecks: readonly EhrCheck[] = [
  check({
    id: 'names-keep-their-letters',
    title: 'Names beyond ASCII come back with their letters',
    requirements: ['D29-patient-record', '4.4-record-and-sign'],
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
    level: 'SHOULD',
    requirements: ['4.4-record-and-sign', 'D33-record-types'],
    expect: { authenticate: done, 'read the patient': done },
    async play(world) {
      // Where no gender is known, the rest of the record is compared all the same.
      const isKnown = world.settings.people.matching.some(hasGender);
      const person = await world.patient(isKnown ? hasGender : undefined);
      await noteBoth(world, person, (record) => differing(record, person));
    },
    judge: nothingNoted('the properties that matched', ...READS),
    advice:
      'Send names and gender as they are stored, and the day of birth as a day that no time zone moves.',
  }),
];

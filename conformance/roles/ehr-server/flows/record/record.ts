/** Checks of the record: its members and types, and that it is the record of the patient who matched. */
import { membersOf } from '#protocol/wire/envelope.ts';
import { patient } from '#protocol/wire/fields.ts';
import { writeJson } from '#protocol/wire/json.ts';
import { type EhrFlow, flow, nothingNoted, nothingWrong } from '../../flow.ts';
import type { KnownPerson } from '../../settings.ts';
import { recordIn, replyIn, signsIn } from '../../world/messages.ts';
import type { EhrWorld } from '../../world/world.ts';
import { twoPatients } from './others-patients.ts';

const MEMBERS = Object.keys(patient.shape);

function wrongMembers(record: Record<string, unknown>): string[] {
  const parsed = patient.safeParse(record);
  const wrong = parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'));
  // No type is published for the id.
  return [...new Set(wrong)].filter((name) => (name in record && name !== 'id') || name.includes('.'));
}

const folded = (name: unknown) =>
  String(name).normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase().replaceAll('ё', 'е');

const isBeyondAscii = ({ name, surname }: KnownPerson) => /[^\x20-\x7e]/.test(`${name}${surname}`);

type Named = { name?: unknown; surname?: unknown };

const agrees = (record: Named, { name, surname }: Named) =>
  folded(record.name) === folded(name) && folded(record.surname) === folded(surname);

/** A server may write names in another way, but not as those of another patient of the file. */
function differing(record: Named, person: KnownPerson, others: readonly KnownPerson[]): string[] {
  const { name, surname } = record;
  if (typeof name !== 'string' || typeof surname !== 'string' || agrees(record, person)) return [];
  const other = others.find((each) => agrees(record, each));
  if (other?.phone === person.phone) return ['the names of another patient who has the same phone'];
  const isOther = folded(name) !== folded(person.name) && folded(surname) !== folded(person.surname);
  return other || isOther ? ['the names of somebody else'] : [];
}

/** A question mark, or UTF-8 bytes read as two letters of Latin-1. */
const LOST = /[?\uFFFD]|[ÃÂÐÑ][\u0080-\u00BF]/u;

const lostIn = (record: Record<string, unknown>) =>
  ['name', 'surname'].filter((name) => LOST.test(String(record[name])));

const readsOf = (whose = '') => [`authenticate${whose}`, `read the patient${whose}`] as const;
const READS = readsOf();
const OTHERS_READS = readsOf(' as another, by the same phone where there is one');

async function noteBoth(
  world: EhrWorld,
  person: KnownPerson,
  wrongIn: (record: Record<string, unknown>) => string[],
  [link, again] = READS,
): Promise<void> {
  const { session, reply } = await world.succeeds(world.signIn(link, { person }));
  const read = await world.succeeds(world.getPatient(again, session));
  world.observe(link, { fault: wrongIn(recordIn(reply)).join(', ') });
  world.observe(again, { fault: wrongIn(recordIn(read.reply)).join(', ') });
}

export const recordFlows: readonly EhrFlow[] = [
  flow('members-of-record', {
    title: 'The patient record has the published members',
    requirements: ['D29-patient-record'],
    judge: nothingWrong(MEMBERS.join(', '), ['read the patient'], (_played, { observed }) => {
      const missing = observed('read the patient')?.missing;
      return missing !== '' && `without ${missing}`;
    }),
    advice: 'Send every member, null where nothing is known; further members beside them are allowed.',
    async play(world) {
      const { session } = await world.linked();
      const { reply } = await world.succeeds(world.getPatient('read the patient', session));
      const record = recordIn(reply);
      world.observe('read the patient', {
        missing: MEMBERS.filter((name) => !(name in record)).join(', '),
        wrong: wrongMembers(record).join(', '),
      });
    },
    checks: {
      'types-of-record': {
        title: 'The members of the patient record have the published types',
        requirements: ['D33-record-types'],
        judge: nothingWrong('the published types', ['read the patient'], (_played, { observed }) => {
          const wrong = observed('read the patient')?.wrong;
          return wrong !== '' && `other types in: ${wrong}`;
        }),
        advice:
          'Send birthdate and created as ISO date-times, maritalStatus from 0 to 5, lists where lists are published.',
      },
    },
  }),
  flow('read-has-record-and-sign', {
    title: 'get_patient results in patient data and in user_sign, a text',
    requirements: ['2.6-sign-is-string', '4.4-record-and-sign'],
    judge: nothingNoted('patient data and user_sign', 'read the patient'),
    advice: 'Send the record of the linked patient, and the signature of the link as user_sign.',
    async play(world) {
      const { session } = await world.linked();
      const { reply } = await world.succeeds(world.getPatient('read the patient', session));
      const result = membersOf(reply?.result);
      const names = Object.keys(result).filter((name) => !/^user_?sign$/i.test(name));
      const isSigned = signsIn(result).length > 0;
      const missing = [isSigned ? '' : 'user_sign', names.length > 0 ? '' : 'patient data'].filter(Boolean);
      world.observe('read the patient', { missing: missing.map((name) => `no ${name}`).join(', ') });
    },
  }),
  flow('removals-return-nothing', {
    title: 'The success reply of a removal has an empty object as result',
    requirements: ['4-empty-result'],
    judge: nothingWrong('{"jsonrpc":"2.0","result":{},…}', ['log out', 'disconnect'], (played) => {
      const { jsonrpc, result } = replyIn(played) ?? {};
      return (jsonrpc !== '2.0' || writeJson(result) !== '{}') && 'another reply';
    }),
    advice: 'Answer both removals with an empty object as result.',
    async play(world) {
      const { session, userSign } = await world.linked();
      await world.succeeds(world.removeAuthInfo('log out', session));
      const next = await world.saved({ session, userSign });
      await world.succeeds(world.removeAuthentication('disconnect', next));
    },
  }),
  flow('names-keep-their-letters', {
    title: 'Names beyond ASCII come back with their letters',
    requirements: ['K-text-whole'],
    judge: nothingNoted('the letters of the name, in UTF-8', ...READS),
    advice: 'Read and write names as UTF-8 from the database to the reply.',
    async play(world) {
      const person = await world.patient(isBeyondAscii, 'patient with letters beyond ASCII in the name');
      await noteBoth(world, person, lostIn);
    },
  }),
  flow('record-agrees-with-match', {
    title: 'The record is that of the patient who matched',
    requirements: ['K-record-of-patient', '4.4-record-and-sign'],
    judge: nothingNoted('the names that matched', ...READS, ...OTHERS_READS),
    explains: ['read-follows-new-link', 'replies-tell-nothing-of-others', 'own-patient-at-once'],
    advice: 'Read the record by the id of the linked patient, and by nothing else: patients share a phone.',
    async play(world) {
      // A record that is found by the phone is right for one of those who share it.
      for (const [index, person] of (await twoPatients(world)).entries()) {
        const wrong = (record: Named) => differing(record, person, world.settings.people.matching);
        await noteBoth(world, person, wrong, index === 0 ? READS : OTHERS_READS);
      }
    },
  }),
];

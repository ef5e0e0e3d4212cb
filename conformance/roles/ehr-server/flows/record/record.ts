/**
 * Checks of what an EHR server's replies contain: the patient record, the user_sign, the ids of saves (§2.6,
 * §4.4, decisions 15 to 17, 29 and 33).
 */
import { patient } from '#protocol/wire/fields.ts';
import { check, done, type EhrCheck, nothingWrong } from '../../check.ts';
import { membersOf, recordIn, signsIn } from '../../world/answer.ts';
import { replyIn } from '../../world/played.ts';
import type { EhrWorld } from '../../world/world.ts';

const MEMBERS = Object.keys(patient.shape);

/** Returns the paths of wrong members of a record, such as `phones.0`. Missing members are not among them. */
export function wrongMembers(record: Record<string, unknown>): string[] {
  const parsed = patient.safeParse(record);
  const wrong = parsed.success ? [] : parsed.error.issues.map(({ path }) => path.join('.'));
  return [...new Set(wrong)].filter((name) => name in record || name.includes('.'));
}

/** Links a patient and reads the record. Notes the names of missing and wrong members, but no values. */
async function readLinked(world: EhrWorld<'read the patient'>): Promise<void> {
  const { session } = await world.linked();
  const record = recordIn((await world.getPatient('read the patient', session)).reply);
  world.observe('read the patient', {
    missing: MEMBERS.filter((name) => !(name in record)).join(', '),
    wrong: wrongMembers(record).join(', '),
  });
}

export const recordChecks: readonly EhrCheck[] = [
  check({
    id: 'members-of-record',
    title: 'The patient record has the published members',
    requirements: ['D29-patient-record'],
    expect: { 'read the patient': done },
    play: readLinked,
    judge: nothingWrong(MEMBERS.join(', '), ['read the patient'], (_played, { observed }) => {
      const missing = observed('read the patient')?.missing;
      return missing !== '' && `without ${missing}`;
    }),
    advice: 'Send every member, null where nothing is known; further members beside them are allowed.',
  }),
  check({
    id: 'types-of-record',
    title: 'The members of the patient record have the published types',
    requirements: ['D33-record-types'],
    expect: { 'read the patient': done },
    play: readLinked,
    judge: nothingWrong('the published types', ['read the patient'], (_played, { observed }) => {
      const wrong = observed('read the patient')?.wrong;
      return wrong !== '' && `other types in: ${wrong}`;
    }),
    advice:
      'Send birthdate and created as ISO date-times, maritalStatus from 0 to 5, lists where lists are published.',
  }),
  check({
    id: 'read-has-record-and-sign',
    title: 'get_patient results in patient data and in user_sign, a text',
    requirements: ['2.6-sign-is-string', '4.4-record-and-sign'],
    expect: { 'read the patient': done },
    async play(world) {
      const { session } = await world.linked();
      const { reply } = await world.getPatient('read the patient', session);
      const result = membersOf(reply?.result);
      const names = Object.keys(result).filter((name) => !/^user_?sign$/i.test(name));
      const isSigned = signsIn(result).length > 0;
      const missing = [isSigned ? '' : 'user_sign', names.length > 0 ? '' : 'patient data'].filter(Boolean);
      world.observe('read the patient', { missing: missing.join(', ') });
    },
    judge: nothingWrong('patient data and user_sign', ['read the patient'], (_played, { observed }) => {
      const missing = observed('read the patient')?.missing;
      return missing !== '' && `without ${missing}`;
    }),
    advice: 'Send the record of the linked patient, and the signature of the link as user_sign.',
  }),
  check({
    id: 'removals-return-nothing',
    title: 'The success reply of a removal has an empty object as result',
    requirements: ['4-empty-result'],
    expect: { 'log out': done, disconnect: done },
    async play(world) {
      const { session, userSign } = await world.linked();
      await world.removeAuthInfo('log out', session);
      const next = await world.saved({ session, userSign });
      await world.removeAuthentication('disconnect', next);
    },
    judge: nothingWrong('{"jsonrpc":"2.0","result":{},…}', ['log out', 'disconnect'], (played) => {
      const { jsonrpc, result } = replyIn(played) ?? {};
      return (jsonrpc !== '2.0' || JSON.stringify(result) !== '{}') && 'another reply';
    }),
    advice: 'Answer both removals with an empty object as result.',
  }),
];

/** Checks that a client shows the record that the EHR server gave, in its newest version (§4.4). */
import type { Check } from '../../../engine/check/check.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { answers, type ClientCheck, check, checkOf, fault, screenOf, seenValue, sees } from '../check.ts';
import { markedRecord, people, sparseRecord } from '../people/people.ts';

const { alena } = people;
const [USUAL, MARKED, SPARSE] = ['reads the record', 'a record with markup', 'a record with gaps'] as const;
const UNREAD = 'the kit cannot read on the screen whose record it is';
const isRead = (step: PlayedStep): boolean => seenValue(step, 'record') !== undefined;

export const recordChecks: readonly ClientCheck[] = [
  check({
    id: 'record-not-as-typed',
    title: 'The record on the screen is that of the EHR server, and not what was typed into the form',
    requirements: ['K-client-shows-what-is-served'],
    expect: { 'fills in the form': sees('patient'), 'reads the record': sees('patient') },
    async play(world) {
      // The record of this person has a letter that they type in another way.
      await world.signedIn(alena);
      await world.fillForm('fills in the form', alena.form);
      await world.press('reads the record', 'readPatient');
    },
    judge({ of }) {
      const typed = [of('fills in the form'), of('reads the record')].find(
        (step) => seenValue(step, 'spelling') === 'typed',
      );
      return typed && fault('the name as the record has it', 'the name as it was typed', typed);
    },
    unshown: ({ of }) => (seenValue(of('reads the record'), 'spelling') === undefined ? UNREAD : undefined),
    advice: 'Show the patient of the reply; what was typed is for the search alone.',
  }),
  check({
    id: 'record-read-anew',
    title: 'A record that has changed at the EHR server is shown as it is now when the person opens it again',
    requirements: ['K-client-record-fresh'],
    control: { 'reads the record': sees('patient') },
    expect: { 'reads it again': sees('patient') },
    async play(world) {
      await world.linked();
      await world.press('reads the record', 'readPatient');
      world.recordChanges();
      await world.press('reads it again', 'readPatient');
    },
    judge({ of }) {
      const again = of('reads it again');
      return (
        seenValue(again, 'version') === 'first' &&
        fault('the record as it is now', 'the record as it was', again)
      );
    },
    unshown: ({ of }) => (seenValue(of('reads it again'), 'version') === undefined ? UNREAD : undefined),
    advice: 'Call patient.get_patient each time the record is opened, and show its reply.',
  }),
  check({
    id: 'odd-records-shown',
    title: 'Markup in a record runs nothing',
    requirements: ['K-client-texts-as-texts'],
    control: { [USUAL]: sees('patient') },
    expect: { [MARKED]: answers, [SPARSE]: answers },
    async play(world) {
      await world.linked();
      await world.press(USUAL, 'readPatient');
      world.recordChanges(markedRecord);
      await world.press(MARKED, 'readPatient');
      world.recordChanges(sparseRecord);
      await world.press(SPARSE, 'readPatient');
    },
    judge({ of }) {
      const marked = of(MARKED);
      return seenValue(marked, 'markup') === 'ran' && fault('markup as a text', 'the page ran it', marked);
    },
    unshown: ({ of }) => (isRead(of(MARKED)) ? undefined : UNREAD),
    advice: 'Show each value as a text; never put it into HTML.',
  }),
];

export const recordWithGaps: Check = checkOf('odd-records-shown', {
  id: 'record-with-gaps-shown',
  title: 'A record that lacks members, or has null for them, is shown all the same',
  requirements: ['K-client-any-server'],
  control: { [USUAL]: sees('patient') },
  expect: { [SPARSE]: sees('patient') },
  judge({ of }) {
    const sparse = of(SPARSE);
    const altered = seenValue(sparse, 'altered');
    if (altered !== undefined) return fault('nothing where there is none', `${altered} is another`, sparse);
    return isRead(sparse) || screenOf(sparse) !== 'patient' ? undefined : { notApplicable: UNREAD };
  },
  advice: 'Show nothing where there is no value: the interface does not say which members a record has.',
});

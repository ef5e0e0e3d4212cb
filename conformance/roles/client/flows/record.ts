/**
 * Checks that a client shows the record that the EHR server gave, in its newest version, and not what the
 * person typed (§4.4). `sees(...)` names the screens to which a step may lead.
 */
import { type ClientCheck, check, fault, seenValue, sees } from '../check.ts';
import { people } from '../people/people.ts';

const { alena } = people;
/** Why there is nothing to judge where the kit does not recognise the record on the screen. */
const UNREAD = 'the kit cannot read on the screen whose record it is';

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
];

/** Flows in which a client shows the record that the EHR server gave, in its newest version (§4.4). */
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { screens } from '../drivers/driver.ts';
import { type ClientFlow, fault, flow } from '../flow.ts';
import { markedRecord, people, sparseRecord } from '../people/people.ts';
import { screenOf, seenValue } from '../seen.ts';
import { leadsTo } from '../world.ts';

const { alena } = people;
const UNREAD = 'the kit cannot tell from the screen whose record it shows';
const isRead = (step: PlayedStep): boolean => seenValue(step, 'record') !== undefined;

export const recordFlows: readonly ClientFlow[] = [
  flow('record-not-as-typed', {
    title: 'The record on the screen is that of the EHR server, and not what was typed into the form',
    requirements: ['K-client-shows-what-is-served'],
    judge({ of }) {
      const typed = [of('fills in the form'), of('reads the record')].find(
        (step) => seenValue(step, 'spelling') === 'typed',
      );
      return typed && fault('the name as the record has it', 'the name as it was typed', typed);
    },
    unshown: ({ of }) => (seenValue(of('reads the record'), 'spelling') === undefined ? UNREAD : undefined),
    advice: 'Show the patient of the reply; what was typed is for the search alone.',
    async play(world) {
      // The record of this person has a letter that they type in another way.
      await world.signedIn(alena);
      await world.leadsTo(world.fillForm('fills in the form', alena.form), 'patient');
      await world.leadsTo(world.press('reads the record', 'readPatient'), 'patient');
    },
  }),
  flow('record-read-anew', {
    title: 'A record that has changed at the EHR server is shown as it is now when the person opens it again',
    requirements: ['K-client-record-fresh'],
    judge({ of }) {
      const again = of('reads it again');
      if (seenValue(again, 'version') !== 'first') return undefined;
      return fault('the record as it is now', 'the record as it was', again);
    },
    unshown: ({ of }) => (seenValue(of('reads it again'), 'version') === undefined ? UNREAD : undefined),
    advice: 'Call patient.get_patient each time the record is opened, and show its reply.',
    async play(world) {
      await world.linked();
      await world.control(world.press('reads the record', 'readPatient'), 'patient');
      world.recordChanges();
      await world.leadsTo(world.press('reads it again', 'readPatient'), 'patient');
    },
  }),
  flow('odd-records-shown', {
    title: 'Markup in a record runs nothing',
    requirements: ['K-client-texts-as-texts'],
    judge({ of }) {
      const marked = of('a record with markup');
      if (seenValue(marked, 'markup') !== 'ran') return undefined;
      return fault('markup as a text', 'the page ran it', marked);
    },
    unshown: ({ of }) => (isRead(of('a record with markup')) ? undefined : UNREAD),
    advice: 'Show each value as a text; never put it into HTML.',
    async play(world) {
      const mayShowAny = leadsTo(screens, { check: 'odd-records-shown' });
      const mustShowRecord = leadsTo(['patient'], { check: 'record-with-gaps-shown' });
      await world.linked();
      await world.control(world.press('reads the record', 'readPatient'), 'patient');
      world.recordChanges(markedRecord);
      await world.press('a record with markup', 'readPatient')(mayShowAny);
      world.recordChanges(sparseRecord);
      await world.press('a record with gaps', 'readPatient')(mayShowAny, mustShowRecord);
    },
    checks: {
      'record-with-gaps-shown': {
        title: 'A record that lacks members, or has null for them, is shown all the same',
        requirements: ['K-client-any-server'],
        judge({ of }) {
          const sparse = of('a record with gaps');
          const altered = seenValue(sparse, 'altered');
          const actual = `the member ${altered} has another value`;
          if (altered !== undefined) return fault('nothing where there is none', actual, sparse);
          return isRead(sparse) || screenOf(sparse) !== 'patient' ? undefined : { notApplicable: UNREAD };
        },
        advice:
          'Show nothing where there is no value: the interface does not say which members a record has.',
      },
    },
  }),
];

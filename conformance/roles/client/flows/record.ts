/** Flows in which a client shows the record that the EHR server gave, in its newest version (§4.4). */
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { screens } from '../drivers/driver.ts';
import { type ClientFlow, callsIn, fault, flow, screenOf, seenValue } from '../flow.ts';
import { markedRecord, people, sparseRecord } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import { leadsTo } from '../world.ts';
import { nothingLeft } from './endings/endings.ts';

const { alena } = people;
const UNREAD = 'the kit cannot read on the screen whose record it is';
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
      await world.sees(world.fillForm('fills in the form', alena.form), 'patient');
      await world.sees(world.press('reads the record', 'readPatient'), 'patient');
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
      await world.ok(world.press('reads the record', 'readPatient'), 'patient');
      world.recordChanges();
      await world.sees(world.press('reads it again', 'readPatient'), 'patient');
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
      const answers = leadsTo(screens, { check: 'odd-records-shown' });
      const shown = leadsTo(['patient'], { check: 'record-with-gaps-shown' });
      await world.linked();
      await world.ok(world.press('reads the record', 'readPatient'), 'patient');
      world.recordChanges(markedRecord);
      await world.press('a record with markup', 'readPatient')(answers);
      world.recordChanges(sparseRecord);
      await world.press('a record with gaps', 'readPatient')(answers, shown);
    },
    checks: {
      'record-with-gaps-shown': {
        title: 'A record that lacks members, or has null for them, is shown all the same',
        requirements: ['K-client-any-server'],
        judge({ of }) {
          const sparse = of('a record with gaps');
          const altered = seenValue(sparse, 'altered');
          if (altered !== undefined)
            return fault('nothing where there is none', `${altered} is another`, sparse);
          return isRead(sparse) || screenOf(sparse) !== 'patient' ? undefined : { notApplicable: UNREAD };
        },
        advice:
          'Show nothing where there is no value: the interface does not say which members a record has.',
      },
    },
  }),
];

const LOG_OUT = `ehr ${EHR_METHODS.logOut}`;

export const browserFlows: readonly ClientFlow[] = [
  flow('reload-during-logout', {
    title: 'A page that is reloaded in the middle of a logout calls the EHR server first, or it alone',
    requirements: ['4.5-ehr-first', '4.5-called-at-exit'],
    judge({ own, of }) {
      const calls = callsIn(...own());
      const [ehr, auth] = [calls.indexOf(LOG_OUT), calls.indexOf('auth auth.logout')];
      // A page that keeps its session in memory has nothing left for auth.logout.
      if (ehr >= 0 && (auth < 0 || auth > ehr)) return undefined;
      const shownBy = [of('reloads in the middle'), of('is out at last')];
      return fault(`${LOG_OUT}, then auth auth.logout`, `the calls are ${calls.join(', ')}`, ...shownBy);
    },
    advice: 'Keep how far an ending has come, and go on from there when the page is loaded again.',
    needs: 'reload',
    async play(world) {
      await world.linked();
      const reload = world.act('reloads in the middle', { do: 'logout' }, { do: 'reload' });
      await world.amid(EHR_METHODS.logOut, 'late', () => world.answers(reload));
      await world.sees(world.endBy('is out at last', 'logout'), 'signedOut');
    },
  }),
  flow('back-shows-no-record', {
    title: 'After a logout the back button shows no record',
    requirements: ['K-client-forgets'],
    judge: ({ of }) => nothingLeft([of('goes back')]),
    advice:
      'Show a record from memory alone, and forbid the browser to keep the page (Cache-Control: no-store).',
    needs: 'back',
    async play(world) {
      await world.linked();
      await world.ok(world.press('reads the record', 'readPatient'), 'patient');
      await world.sees(world.press('logs out', 'logout'), 'signedOut');
      await world.sees(world.press('goes back', 'back'), 'signedOut', 'code', 'error');
    },
  }),
  flow('other-tab-follows', {
    title: 'A record that is disconnected in one tab is not shown by the next action in the other',
    requirements: ['K-client-shows-what-is-served'],
    judge({ of }) {
      const read = of('reads in the first tab');
      const isShown = seenValue(read, 'hasRecord') !== undefined;
      return isShown ? fault('no record', 'a record is shown', read) : undefined;
    },
    advice: 'Ask the EHR server at each opening of the record, and take its refusal for the truth.',
    needs: 'two tabs',
    async play(world) {
      await world.linked();
      await world.press('opens a second tab', 'otherTab')();
      await world.ok(world.wayOn('reads in the second tab'), 'patient');
      await world.press('disconnects there', 'disconnect')();
      await world.press('goes to the first tab', 'otherTab')();
      const read = world.press('reads in the first tab', 'readPatient');
      await world.sees(read, 'form', 'signedOut', 'error');
      await world.sees(world.wayOn('connects again'), 'patient');
    },
  }),
];

/** Checks of a client in a browser, where a person can reload the page, go back, use two tabs. */
import { answers, type ClientCheck, callsIn, check, fault, seenValue, sees } from '../check.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import { nothingLeft } from './endings/forgetting.ts';

const LOG_OUT = `ehr ${EHR_METHODS.logOut}`;

export const browserChecks: readonly ClientCheck[] = [
  check({
    id: 'reload-during-logout',
    title: 'A page that is reloaded in the middle of a logout calls the EHR server first, or it alone',
    requirements: ['4.5-ehr-first', '4.5-called-at-exit'],
    needs: 'reload',
    expect: { 'reloads in the middle': answers, 'is out at last': sees('signedOut') },
    async play(world) {
      await world.linked();
      await world.amid(EHR_METHODS.logOut, 'late', () =>
        world.act('reloads in the middle', { do: 'logout' }, { do: 'reload' }),
      );
      await world.endBy('is out at last', 'logout');
    },
    judge({ own, of }) {
      const calls = callsIn(...own());
      const [ehr, auth] = [calls.indexOf(LOG_OUT), calls.indexOf('auth auth.logout')];
      // A page that keeps its session in memory has nothing left for auth.logout.
      if (ehr >= 0 && (auth < 0 || auth > ehr)) return undefined;
      const shownBy = [of('reloads in the middle'), of('is out at last')];
      return fault(`${LOG_OUT}, then auth auth.logout`, `the calls are ${calls.join(', ')}`, ...shownBy);
    },
    advice: 'Keep how far an ending has come, and go on from there when the page is loaded again.',
  }),
  check({
    id: 'back-shows-no-record',
    title: 'After a logout the back button shows no record',
    requirements: ['K-client-forgets'],
    needs: 'back',
    control: { 'reads the record': sees('patient') },
    expect: { 'logs out': sees('signedOut'), 'goes back': sees('signedOut', 'code', 'error') },
    async play(world) {
      await world.linked();
      await world.press('reads the record', 'readPatient');
      await world.press('logs out', 'logout');
      await world.press('goes back', 'back');
    },
    judge: ({ of }) => nothingLeft([of('goes back')]),
    advice:
      'Show a record from memory alone, and forbid the browser to keep the page (Cache-Control: no-store).',
  }),
  check({
    id: 'other-tab-follows',
    title: 'A record that is disconnected in one tab is not shown by the next action in the other',
    requirements: ['K-client-shows-what-is-served'],
    needs: 'two tabs',
    control: { 'reads in the second tab': sees('patient') },
    expect: {
      'reads in the first tab': sees('form', 'signedOut', 'error'),
      'connects again': sees('patient'),
    },
    async play(world) {
      await world.linked();
      await world.also('opens a second tab', 'otherTab');
      await world.wayOn('reads in the second tab');
      await world.also('disconnects there', 'disconnect');
      await world.also('goes to the first tab', 'otherTab');
      await world.press('reads in the first tab', 'readPatient');
      await world.wayOn('connects again');
    },
    judge({ of }) {
      const read = of('reads in the first tab');
      return seenValue(read, 'hasRecord') !== undefined && fault('no record', 'a record is shown', read);
    },
    advice: 'Ask the EHR server at each opening of the record, and take its refusal for the truth.',
  }),
];

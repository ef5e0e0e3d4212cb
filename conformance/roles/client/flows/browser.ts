/** Flows with what only a browser has: a reload, the back button, a second tab. */
import { type ClientFlow, fault, flow } from '../flow.ts';
import { callsIn, seenValue } from '../seen.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import { nothingLeft } from './endings/endings.ts';

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
      await world.whileTroubled(EHR_METHODS.logOut, 'late', () => world.leadsAnywhere(reload));
      await world.leadsTo(world.endBy('is out at last', 'logout'), 'signedOut');
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
      await world.control(world.press('reads the record', 'readPatient'), 'patient');
      await world.leadsTo(world.press('logs out', 'logout'), 'signedOut');
      await world.leadsTo(world.press('goes back', 'back'), 'signedOut', 'code', 'error');
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
      await world.control(world.wayToRecord('reads in the second tab'), 'patient');
      await world.press('disconnects there', 'disconnect')();
      await world.press('goes to the first tab', 'otherTab')();
      const read = world.press('reads in the first tab', 'readPatient');
      await world.leadsTo(read, 'form', 'signedOut', 'error');
      await world.leadsTo(world.wayToRecord('connects again'), 'patient');
    },
  }),
];

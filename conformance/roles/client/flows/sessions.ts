/** Checks of sessions: a wrong code, a session that has run out, another person, and replies that come late. */
import { type ClientCheck, callsIn, check, fault, seenValue, sees, told } from '../check.ts';
import { people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import { HELD_MS } from '../servers/troubles.ts';
import { sees as isAt } from '../way-on.ts';
import type { ClientWorld } from '../world.ts';
import { nothingLeft } from './endings/forgetting.ts';

const { darya, wilhelm } = people;
/** The time (ms) after which a held reply has come, and the client has dealt with it. */
const UNTIL_HELD_REPLY_MS = HELD_MS + 200;
const READING = { do: 'readPatient' } as const;
const SENDING = { do: 'fillForm', values: darya.form } as const;

export const meanwhileChecks: readonly ClientCheck[] = [
  check({
    id: 'late-reply-after-logout',
    title: 'A reply that comes after a logout opens no session and shows no record',
    requirements: ['K-client-late-replies'],
    expect: {
      'opens it after the read': sees('signedOut', 'error', 'code'),
      'opens it after the form': sees('signedOut', 'error', 'code'),
    },
    async play(given) {
      const world = given as ClientWorld;
      await world.linked();
      world.trouble(EHR_METHODS.read, 'held');
      await world.act('logs out while it is read', READING, { do: 'logout' });
      await world.endBy('is out', 'logout');
      await world.wait(UNTIL_HELD_REPLY_MS);
      world.calm();
      await world.press('opens it after the read', 'readPatient');
      await world.disconnectElsewhere(darya);
      await world.startOver();
      await world.signedIn();
      world.trouble(EHR_METHODS.authenticate, 'held');
      await world.act('logs out while it is sent', SENDING, { do: 'logout' });
      await world.endBy('is out', 'logout');
      await world.wait(UNTIL_HELD_REPLY_MS);
      world.calm();
      await world.press('opens it after the form', 'readPatient');
    },
    judge: ({ of }) => nothingLeft([of('opens it after the read'), of('opens it after the form')]),
    advice: 'Note for which session a call was made, and drop its reply when that session is over.',
  }),
  check({
    id: 'late-reply-after-other-sign-in',
    title: 'A reply for one person that comes when another has signed in is not shown',
    requirements: ['K-client-late-replies'],
    expect: { 'the other signs in': sees('form', 'error'), 'the other reads': sees('form', 'error') },
    async play(given) {
      const world = given as ClientWorld;
      await world.linked();
      world.trouble(EHR_METHODS.read, 'held');
      const signIn = { do: 'signIn', phone: wilhelm.signIn } as const;
      const asked = await world.act('signs in while it is read', READING, signIn);
      if (!isAt(asked, 'code')) {
        // A client may ask the first person to log out before.
        await world.endBy('is out', 'logout');
        await world.askForCode(wilhelm);
      }
      await world.enterCode('the other signs in', wilhelm);
      await world.wait(UNTIL_HELD_REPLY_MS);
      await world.press('the other reads', 'readPatient');
    },
    judge({ of }) {
      const steps = [of('the other signs in'), of('the other reads')];
      const shown = steps.find((step) => seenValue(step, 'record') === 'darya');
      return shown && fault('no record of the first person', 'it is shown', shown);
    },
    advice: 'Drop the reply to a call of another session, whoever is signed in when it comes.',
  }),
];

const LOG_OUT = `ehr ${EHR_METHODS.logOut}`;
const RUN_OUT = 'the session has run out';
const WAY_ON = 'the way on';
/** 100 days: longer than any session that the kit's servers open. */
const SESSION_MINUTES = 100 * 24 * 60;

export const sessionChecks: readonly ClientCheck[] = [
  check({
    id: 'wrong-code-told',
    title: 'A wrong code is sent once and told, and the right one is taken afterwards',
    requirements: ['K-client-errors-told'],
    expect: { 'a wrong code': told('code'), 'the right code': sees('form') },
    async play(world) {
      await world.askForCode();
      const wrong = world.newestCode(darya.signIn).replace(/\d$/, (digit) => String(9 - Number(digit)));
      await world.act('a wrong code', { do: 'enterCode', code: wrong });
      await world.enterCode('the right code');
    },
    judge({ of }) {
      const times = callsIn(of('a wrong code')).filter((call) => call === 'auth auth.confirm_otp').length;
      return times !== 1 && fault('auth.confirm_otp once', `${times} times`, of('a wrong code'));
    },
    advice: 'Stay at the code after a wrong one, and say so. Each code that is sent counts as a try.',
  }),
  check({
    id: 'expired-session-way-on',
    scenario: 'user-sign-outlives-session',
    title:
      'A person whose session has run out at both servers is told, and comes to the record without a restart',
    requirements: ['K-client-errors-told'],
    expect: { [RUN_OUT]: told(), [WAY_ON]: sees('patient') },
    async play(world) {
      await world.linked();
      world.advance(SESSION_MINUTES);
      await world.press(RUN_OUT, 'readPatient');
      await world.wayOn(WAY_ON);
    },
    advice: 'Where the authorization server knows no session any more, ask for a new sign-in.',
  }),
  check({
    id: 'former-session-ended',
    title: 'When another person signs in without a logout of the first, the session of the first is ended',
    requirements: ['K-client-ends-former-session'],
    expect: { 'another signs in': told(), 'the way on': sees('patient') },
    async play(world) {
      await world.linked();
      const asked = await world.act('another signs in', { do: 'signIn', phone: wilhelm.signIn });
      if (isAt(asked, 'code')) {
        await world.enterCode('another signs in', wilhelm);
        await world.wayOn('the way on', wilhelm);
      } else await world.wayOn('the way on');
    },
    judge({ all, own }) {
      const signed = all('another signs in');
      // The client did not let the second person in: there is no former session to end.
      if (signed.length < 2) return undefined;
      const calls = callsIn(...own());
      if (calls.includes(LOG_OUT) && calls.includes('auth auth.logout')) return undefined;
      const actual = calls.includes(LOG_OUT) ? 'it goes on at the authorization server' : 'it goes on';
      return fault('remove_auth_info and auth.logout of the first session', actual, ...signed);
    },
    advice: 'Log the first person out before another one signs in, or offer no sign-in until then.',
  }),
];

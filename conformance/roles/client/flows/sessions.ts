/** Flows of sessions: a wrong code, a session that has run out, another person, replies that come late. */
import type { Fault } from '../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { type ClientFlow, fault, flow } from '../flow.ts';
import { fitsNobody, people } from '../people/people.ts';
import { CALLS, callsIn, seenValue, whyNotRefused } from '../seen.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import { HELD_MS } from '../servers/troubles.ts';
import { type ClientWorld, leadsTo, READ_REFUSED, sees } from '../world.ts';
import { nothingLeft } from './endings/endings.ts';
import { ofNewestLink, signSent } from './linking.ts';

const { darya, wilhelm } = people;
/** The time (ms) after which a held reply has come, and the client has dealt with it. */
const UNTIL_HELD_REPLY_MS = HELD_MS + 200;
const READING = { do: 'readPatient' } as const;
const SENDING = { do: 'fillForm', values: darya.form } as const;

/** Finds a record, a form or a message of the first person where another one has signed in. */
function leftOfFirst(steps: readonly PlayedStep[]): Fault | undefined {
  const left = steps.find((step) => seenValue(step, 'named') === 'darya');
  const what = left && seenValue(left, 'record') === 'darya' ? 'the record' : 'a field or a text';
  return left && fault('nothing of the first person', `${what} of the first person is shown`, left);
}

export const meanwhileFlows: readonly ClientFlow[] = [
  flow('late-reply-after-logout', {
    title: 'A reply that comes after a logout opens no session and shows no record',
    requirements: ['K-client-late-replies'],
    judge({ of, all }) {
      const looks = [...all('looks after the read'), ...all('looks after the form')];
      return nothingLeft([...looks, of('opens it after the read'), of('opens it after the form')]);
    },
    advice: 'Note for which session a call was made, and drop its reply when that session is over.',
    async play(world) {
      const isOut = ['signedOut', 'error', 'code'] as const;
      await world.linked();
      world.disturb(EHR_METHODS.read, 'held');
      await world.act('logs out while it is read', READING, { do: 'logout' })();
      await world.endBy('is out', 'logout')();
      await world.wait(UNTIL_HELD_REPLY_MS);
      world.endTroubles();
      await world.look('looks after the read');
      await world.leadsTo(world.press('opens it after the read', 'readPatient'), ...isOut);
      await world.disconnectElsewhere(darya);
      await world.startOver();
      await world.signedIn();
      world.disturb(EHR_METHODS.authenticate, 'held');
      await world.act('logs out while it is sent', SENDING, { do: 'logout' })();
      await world.endBy('is out', 'logout')();
      await world.wait(UNTIL_HELD_REPLY_MS);
      world.endTroubles();
      await world.look('looks after the form');
      await world.leadsTo(world.press('opens it after the form', 'readPatient'), ...isOut);
    },
  }),
  flow('late-reply-after-other-sign-in', {
    title: 'A reply for one person that comes when another has signed in is not shown',
    requirements: ['K-client-late-replies'],
    judge: ({ of, all }) =>
      leftOfFirst([of('the other signs in'), ...all('the other looks'), of('the other reads')]),
    advice: 'Drop the reply to a call of another session, whoever is signed in when it comes.',
    async play(world) {
      await world.linked();
      world.disturb(EHR_METHODS.read, 'held');
      const signIn = { do: 'signIn', phone: wilhelm.signIn } as const;
      const asked = await world.act('signs in while it is read', READING, signIn)();
      if (!sees(asked, 'code')) {
        // A client may ask the first person to log out before.
        await world.endBy('is out', 'logout')();
        await world.askForCode(wilhelm);
      }
      await world.leadsTo(world.enterCode('the other signs in', wilhelm), 'form', 'error');
      await world.wait(UNTIL_HELD_REPLY_MS);
      await world.look('the other looks');
      await world.leadsTo(world.press('the other reads', 'readPatient'), 'form', 'error');
    },
  }),
];

/** 100 days: longer than any session that the kit's servers open. */
const SESSION_MINUTES = 100 * 24 * 60;
/** A minute longer than an exchange token lives. */
const EXCHANGE_MINUTES = 11;

export const sessionFlows: readonly ClientFlow[] = [
  flow('wrong-code-told', {
    title: 'A wrong code is sent once and told, and the right one is taken afterwards',
    requirements: ['K-client-errors-told'],
    judge({ of }) {
      const wrong = of('a wrong code');
      const times = callsIn(wrong).filter((call) => call === CALLS.confirmOtp).length;
      return times === 1 ? undefined : fault('auth.confirm_otp once', `${times} times`, wrong);
    },
    advice: 'Stay at the code after a wrong one, and say so. Each code that is sent counts as a try.',
    async play(world) {
      await world.askForCode();
      const code = world.newestCode(darya.signIn).replace(/\d$/, (digit) => String(9 - Number(digit)));
      await world.tells(world.act('a wrong code', { do: 'enterCode', code }), 'code');
      await world.leadsTo(world.enterCode('the right code'), 'form');
    },
  }),
  flow('user-sign-outlives-session', {
    async play(world) {
      await world.linked();
      world.advance(SESSION_MINUTES);
      await world.tells(world.press('the session has run out', 'readPatient'));
      await world.leadsTo(world.wayToRecord('the way on'), 'patient');
    },
    checks: {
      'expired-session-way-on': {
        title:
          'A person whose session has run out at both servers is told, and comes to the record without a restart',
        requirements: ['K-client-errors-told'],
        advice: 'Where the authorization server knows no session any more, ask for a new sign-in.',
      },
    },
  }),
  flow('former-session-ended', {
    title: 'When another person signs in without a logout of the first, the session of the first is ended',
    requirements: ['K-client-ends-former-session'],
    judge({ all, own }) {
      const signed = all('another signs in');
      // The client did not let the second person in: there is no former session to end.
      if (signed.length < 2) return undefined;
      const calls = callsIn(...own());
      if (calls.includes(CALLS.logOut) && calls.includes(CALLS.authLogout)) return undefined;
      const actual = calls.includes(CALLS.logOut) ? 'it goes on at the authorization server' : 'it goes on';
      return fault('remove_auth_info and auth.logout of the first session', actual, ...signed);
    },
    advice: 'Log the first person out before another one signs in, or offer no sign-in until then.',
    async play(world) {
      await world.linked();
      const asks = world.act('another signs in', { do: 'signIn', phone: wilhelm.signIn });
      const isAsked = sees(await world.tells(asks), 'code');
      if (isAsked) await world.tells(world.enterCode('another signs in', wilhelm));
      await world.leadsTo(world.wayToRecord('the way on', isAsked ? wilhelm : darya), 'patient');
    },
  }),
];

async function fitsNobodyYet(world: ClientWorld): Promise<void> {
  const values = { do: 'fillForm', values: fitsNobody } as const;
  const screen = await world.mustSee('fits nobody', ['form', 'error'], values);
  if (screen === 'error') await world.mustSee('goes back to the form', ['form'], { do: 'readPatient' });
}

export const keepingFlows: readonly ClientFlow[] = [
  flow('user-sign-kept', {
    title:
      'The user_sign is kept over a logout and a restart, goes along with the next sign-in, and opens the record',
    requirements: ['K-client-sign-kept'],
    ofKeptSign: true,
    judge: ofNewestLink('signs in again'),
    advice: 'Keep the user_sign for each phone, and send it as ehr_user_sign with auth.confirm_otp.',
    async play(world) {
      await world.linked();
      await world.signedOut();
      await world.press('restarts', 'restart')();
      await world.leadsTo(world.signInAgain('signs in again'), 'patient');
    },
  }),
  flow('unlinked-sign-in-leads-to-form', {
    title: 'A sign-in whose user_sign opens nothing any more leads to the form, and to the record again',
    requirements: ['1-form-on-refusal'],
    advice: 'A record that was disconnected on another device is no error of the sign-in: show the form.',
    async play(world) {
      await world.linked();
      await world.signedOut();
      await world.disconnectElsewhere(darya);
      await world.leadsTo(world.signInAgain('signs in unlinked'), 'form');
      await world.leadsTo(world.fillForm('connects again'), 'patient');
      // The user_sign of the former link must not go along any more.
      await world.signedOut();
      await world.signInAgain('signs in once more')();
    },
  }),
  flow('signs-of-each-person', {
    title:
      'The user_sign of one person is not sent for another, and the record of one is not shown to another',
    requirements: ['K-client-sign-of-own-link', 'K-client-shows-what-is-served'],
    judge({ of }) {
      const steps = [of('the other signs in'), of('the other reads'), of('not reached')];
      if (signSent(steps) !== undefined)
        return fault('no user_sign of the first person', 'one is sent', of('the other signs in'));
      return leftOfFirst(steps);
    },
    advice: 'Keep a user_sign under the phone of its person, and remove the record when the person changes.',
    async play(world) {
      await world.linked();
      await world.signedOut();
      await world.leadsTo(world.signInAgain('the other signs in', wilhelm), 'form');
      await world.mustSee('fills in the form', ['patient'], { do: 'fillForm', values: wilhelm.form });
      await world.control(world.press('the other reads', 'readPatient'), 'patient');
      world.disturb(EHR_METHODS.read, 'reset', 2);
      await world.leadsTo(world.press('not reached', 'readPatient'), 'error', 'form', 'signedOut', 'patient');
    },
  }),
  flow('exchange-token-of-each-person', {
    title: 'A person who signs in after another one connects the own record',
    requirements: ['K-client-forgets'],
    advice: 'Forget the exchange token with the session that asked for it.',
    async play(world) {
      await world.signedIn();
      await fitsNobodyYet(world);
      await world.signedOut();
      await world.signedIn(wilhelm);
      await world.leadsTo(world.fillForm('the other connects', wilhelm.form), 'patient');
    },
  }),
  flow('exchange-token-renewed', {
    title: 'An exchange token that has expired is replaced by a new one',
    requirements: ['1-authenticate-in-time'],
    advice: 'Ask for a new exchange token when authenticate answers -33000 or -33001, and try once more.',
    async play(world) {
      await world.signedIn();
      await fitsNobodyYet(world);
      world.advance(EXCHANGE_MINUTES);
      await world.leadsTo(world.sendsAgain('after eleven minutes'), 'patient');
    },
  }),
  flow('disconnected-elsewhere', {
    title: 'A record that was disconnected on another device leads to the form, and to the record again',
    requirements: ['1-form-on-refusal'],
    unshown: ({ of }) => whyNotRefused(of('reads the record')),
    advice: 'Take the refusal of get_patient for the truth, whatever the client remembers of a link.',
    async play(world) {
      await world.linked();
      await world.disconnectElsewhere(darya);
      await world.press('reads the record', 'readPatient')(leadsTo(['form'], { where: READ_REFUSED }));
      await world.leadsTo(world.wayToRecord('connects again'), 'patient');
    },
  }),
];

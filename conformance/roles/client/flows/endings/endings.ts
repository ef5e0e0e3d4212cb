/**
 * Checks of how a client ends something for its user: a logout (§4.5), a disconnection of the record, and a
 * deletion of the account (§4.6). The client must call the EHR server first, and the authorization server
 * only after the EHR server has succeeded. In `expect`, `sees(...)` names the screens to which a step may
 * lead; `told(...)` also requires a sentence there that says what is the matter, and without names it takes
 * any screen.
 */

import type { Fault } from '../../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { type ClientCheck, callsIn, check, fault, screenOf, sees, told } from '../../check.ts';
import { people } from '../../people/people.ts';
import { EHR_METHODS } from '../../servers/calls.ts';
import { withSign } from '../signs.ts';
import { FAILURES, failingEndings } from './failing-endings.ts';

/** Calls as the journal names them: the server, a blank, the method. */
const LOG_OUT = `ehr ${EHR_METHODS.logOut}`;
const DISCONNECT = `ehr ${EHR_METHODS.disconnect}`;

export const endingChecks: readonly ClientCheck[] = [
  check({
    id: 'logout-ehr-first',
    title: 'At a logout the EHR server is called first, and the authorization server after its success',
    requirements: ['4.5-called-at-exit', '4.5-ehr-first'],
    expect: { 'logs out': sees('signedOut') },
    async play(world) {
      await world.linked();
      await world.press('logs out', 'logout');
    },
    judge: ({ of }) => inOrder(of('logs out'), [LOG_OUT, 'auth auth.logout']),
    advice: 'Call remove_auth_info, wait for its success, and call auth.logout then.',
  }),
  check({
    id: 'deletion-ehr-first',
    title: 'At a deletion the EHR server is called first, and the authorization server after its success',
    requirements: ['4.6-ehr-first', '4.6-with-deletion'],
    expect: { 'deletes the account': sees('signedOut') },
    async play(world) {
      await world.linked();
      await world.press('deletes the account', 'deleteAccount');
    },
    judge: ({ of }) => inOrder(of('deletes the account'), [DISCONNECT, 'auth auth.delete_user']),
    advice: 'Call remove_authentication, wait for its success, and call auth.delete_user then.',
  }),
  check({
    id: 'disconnect-alone',
    title: 'The person can disconnect the record, keeps the account, and can connect it again',
    requirements: ['4.6-called-at-disconnect', '4.6-alone'],
    expect: { disconnects: sees('form', 'signedOut', 'error'), 'connects again': sees('patient') },
    async play(world) {
      await world.linked();
      await world.press('disconnects', 'disconnect');
      await world.wayOn('connects again');
    },
    judge: ({ of }) => inOrder(of('disconnects'), [DISCONNECT], ['auth auth.delete_user']),
    advice: 'Call remove_authentication alone, and delete nothing at the authorization server.',
  }),
  // Judges the calls; the expectations are those of the check above without the screen signedOut.
  check({
    id: 'disconnect-stays-signed-in',
    title: 'After a disconnection the person connects the record again without a new sign-in',
    requirements: ['4.6-alone'],
    expect: { disconnects: sees('form', 'error'), 'connects again': sees('patient') },
    async play(world) {
      await world.linked();
      await world.press('disconnects', 'disconnect');
      await world.wayOn('connects again');
    },
    judge({ own, all }) {
      // The first sign-in is that of the set-up.
      const signIns = callsIn(...own()).filter((call) => call === 'auth auth.confirm_otp').length;
      return signIns > 1 && fault('one sign-in', `${signIns} sign-ins`, ...all('connects again'));
    },
    advice: 'Keep the session of the authorization server: an exchange token connects the record again.',
  }),
  check({
    id: 'disconnect-after-success-alone',
    title: 'When the EHR server fails or refuses at a disconnection, a kept user_sign stays kept',
    requirements: ['K-client-sign-kept'],
    ofKeptSign: true,
    expect: { 'signs in again': sees('patient') },
    async play(world) {
      await world.linked();
      for (const [label, trouble] of FAILURES) {
        await world.amidAll(EHR_METHODS.disconnect, trouble, () => world.also(label, 'disconnect'));
      }
      await world.signedOut();
      await world.signInAgain('signs in again');
    },
    judge: withSign('signs in again'),
    advice: 'Wait for the success of the EHR server before the user_sign is deleted and the record is gone.',
  }),
  ...failingEndings,
  check({
    id: 'way-out-without-session',
    title: 'A person whose session the EHR server does not know any more gets out all the same',
    requirements: ['K-client-errors-told'],
    expect: { 'logs out': told(), 'is out': told('signedOut') },
    async play(world) {
      await world.linked();
      await world.disconnectElsewhere(people.darya);
      await world.press('logs out', 'logout');
      await world.endBy('is out', 'logout');
    },
    advice: 'Tell that there is no session to end, and offer to leave the authorization server alone.',
  }),
  check({
    id: 'leaving-logs-out',
    title: 'A client that is about to be unloaded logs the person out first',
    requirements: ['K-client-errors-told'],
    expect: { 'reads the record': sees('patient'), 'opens it again': sees('signedOut', 'code', 'patient') },
    async play(world) {
      await world.linked();
      await world.press('reads the record', 'readPatient');
      await world.leave();
      await world.press('opens it again', 'readPatient');
    },
    judge({ own, of }) {
      const leaving = own().find(({ step }) => step.step === 'leave');
      if (!leaving) return undefined;
      const calls = callsIn(leaving);
      const actual = `the calls are ${calls.join(', ') || 'none'}`;
      if (!calls.includes(LOG_OUT)) return fault(LOG_OUT, actual, leaving);
      // A client may also drop its session at the authorization server without a call: then no record comes
      // back.
      const isOver = calls.includes('auth auth.logout') || screenOf(of('opens it again')) !== 'patient';
      return isOver ? undefined : fault('auth.logout, too', actual, leaving);
    },
    advice: 'Call remove_auth_info at the end, in a way that the system does not cancel.',
  }),
];

/** Requires that a step makes the wanted calls once, in this order, and none of the others. */
function inOrder(
  played: PlayedStep,
  wanted: readonly string[],
  others: readonly string[] = [],
): Fault | undefined {
  const calls = callsIn(played).filter((call) => wanted.includes(call) || others.includes(call));
  if (calls.join() === wanted.join()) return undefined;
  const actual =
    played.exchanges.length === 0 ? 'nothing is called' : `the calls are ${callsIn(played).join(', ')}`;
  return fault(wanted.join(', then '), actual, played);
}

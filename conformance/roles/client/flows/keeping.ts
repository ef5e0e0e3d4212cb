/**
 * Checks of what a client keeps, for how long and for whom: its session, the user_sign of a link, the
 * exchange token. A user_sign is the signature that the EHR server gives for a link; sent with a later
 * sign-in as ehr_user_sign, it opens the record without the form. In `expect`, `sees(...)` names the screens
 * to which a step may lead; `told(...)` also requires a sentence there that says what is the matter, and
 * without names it takes any screen.
 */
import type { Check } from '../../../engine/check/check.ts';
import { type ClientCheck, check, checkOf, exchangesIn, fault, sees, told } from '../check.ts';
import { fitsNobody, people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import type { ClientWorld } from '../world.ts';
import { unrefused, whereReadRefused } from './refused-read.ts';
import { insteadOf, ofNewestLink, REPORT, signGiven, signIn, signSent, withSign } from './signs.ts';

const { darya, wilhelm } = people;
/** Set-up: the person sends a form that fits nobody, and comes back to the form. */
async function fitsNobodyYet(world: Pick<ClientWorld, 'mustSee'>): Promise<void> {
  const values = { do: 'fillForm', values: fitsNobody } as const;
  const screen = await world.mustSee('fits nobody', ['form', 'error'], values);
  if (screen === 'error') await world.mustSee('goes back to the form', ['form'], { do: 'readPatient' });
}

export const keepingChecks: readonly ClientCheck[] = [
  check({
    id: 'user-sign-kept',
    title:
      'The user_sign is kept over a logout and a restart, goes along with the next sign-in, and opens the record',
    requirements: ['K-client-sign-kept'],
    ofKeptSign: true,
    expect: { 'signs in again': sees('patient') },
    async play(world) {
      await world.linked();
      await world.signedOut();
      await world.also('restarts', 'restart');
      await world.signInAgain('signs in again');
    },
    judge: ofNewestLink('signs in again'),
    advice: 'Keep the user_sign for each phone, and send it as ehr_user_sign with auth.confirm_otp.',
  }),
  check({
    id: 'new-sign-kept',
    title:
      'After a new link its user_sign is reported, kept and sent, and no longer the one of the former link',
    requirements: ['K-client-sign-kept'],
    ofKeptSign: true,
    expect: { 'connects again': sees('patient'), 'signs in again': sees('patient') },
    async play(world) {
      await world.linked();
      await world.formAgain();
      await world.fillForm('connects again');
      await world.settled();
      await world.signedOut();
      await world.signInAgain('signs in again');
    },
    judge({ own, of }) {
      const given = signGiven(own());
      const reported = signIn(exchangesIn(own(), REPORT).at(-1)?.request.body);
      const sent = signSent([of('signs in again')]);
      if (reported === given && sent === given) return undefined;
      const isReported = reported === given;
      return fault(
        `the user_sign of the new link in ${isReported ? 'auth.confirm_otp' : 'auth.report_link'}`,
        isReported ? insteadOf(sent) : 'it is not reported',
        of(isReported ? 'signs in again' : 'connects again'),
      );
    },
    advice: 'Replace the kept user_sign by that of each new answer of authenticate.',
  }),
  check({
    id: 'unlinked-sign-in-leads-to-form',
    title: 'A sign-in whose user_sign opens nothing any more leads to the form, and to the record again',
    requirements: ['1-form-on-refusal'],
    expect: { 'signs in unlinked': sees('form'), 'connects again': sees('patient') },
    async play(world) {
      await world.linked();
      await world.signedOut();
      await world.disconnectElsewhere(darya);
      await world.signInAgain('signs in unlinked');
      await world.fillForm('connects again');
    },
    advice: 'A record that was disconnected on another device is no error of the sign-in: show the form.',
  }),
  check({
    id: 'stale-sign-forgotten',
    title:
      'A user_sign that opens nothing any more is forgotten, and the person is told why the form is there',
    requirements: ['D34-client-forgets-too'],
    ofKeptSign: true,
    expect: { 'signs in unlinked': told('form'), 'signs in once more': told('form') },
    async play(world) {
      await world.linked();
      await world.signedOut();
      await world.disconnectElsewhere(darya);
      await world.signInAgain('signs in unlinked');
      await world.signedOut();
      await world.signInAgain('signs in once more');
    },
    judge(steps) {
      const [unlinked, again] = [steps.of('signs in unlinked'), steps.of('signs in once more')];
      const isSentAgain =
        signSent([again]) !== undefined &&
        fault('the user_sign is forgotten', 'it is sent again', unlinked, again);
      return withSign('signs in unlinked')(steps) || isSentAgain;
    },
    advice: 'When auth.confirm_otp says linked: false although a user_sign went along, delete it and say so.',
  }),
  check({
    id: 'signs-of-each-person',
    title:
      'The user_sign of one person is not sent for another, and the record of one is not shown to another',
    requirements: ['K-client-sign-of-own-link', 'K-client-shows-what-is-served'],
    control: { 'the other reads': sees('patient') },
    expect: {
      'the other signs in': sees('form'),
      'not reached': sees('error', 'form', 'signedOut', 'patient'),
    },
    async play(world) {
      await world.linked();
      await world.signedOut();
      await world.signInAgain('the other signs in', wilhelm);
      await world.mustSee('fills in the form', ['patient'], { do: 'fillForm', values: wilhelm.form });
      await world.press('the other reads', 'readPatient');
      world.trouble(EHR_METHODS.read, 'reset', 2);
      await world.press('not reached', 'readPatient');
    },
    judge({ of }) {
      const steps = [of('the other signs in'), of('the other reads'), of('not reached')];
      if (signSent(steps) !== undefined) {
        return fault('no user_sign of the first person', 'one is sent', of('the other signs in'));
      }
      const other = steps.find(({ result }) => result.kind === 'done' && result.values.record === 'darya');
      return other && fault('the own record or none', 'that of the first person is shown', other);
    },
    advice: 'Keep a user_sign under the phone of its person, and remove the record when the person changes.',
  }),
  check({
    id: 'exchange-token-of-each-person',
    title: 'A person who signs in after another one connects the own record',
    requirements: ['K-client-forgets'],
    expect: { 'the other connects': sees('patient') },
    async play(world) {
      await world.signedIn();
      await fitsNobodyYet(world as ClientWorld);
      await world.signedOut();
      await world.signedIn(wilhelm);
      await world.fillForm('the other connects', wilhelm.form);
    },
    advice: 'Forget the exchange token with the session that asked for it.',
  }),
  check({
    id: 'exchange-token-renewed',
    title: 'An exchange token that has expired is replaced by a new one',
    requirements: ['K-client-exchange-token-spent'],
    expect: { 'after eleven minutes': sees('patient') },
    async play(world) {
      await world.signedIn();
      for (let tries = 0; tries < MAX_TRIES; tries++) await fitsNobodyYet(world as ClientWorld);
      // The cast allows a label that is not in `expect`.
      await (world as ClientWorld).wayOn(AFTER_TRIES);
      await world.formAgain();
      await fitsNobodyYet(world as ClientWorld);
      world.advance(EXCHANGE_MINUTES);
      await world.wayOn('after eleven minutes');
    },
    advice:
      'Ask for a new exchange token when authenticate answers -33000, -33001 or -33002, and try once more.',
  }),
  check({
    id: 'form-may-take-time',
    title: 'A form that is sent eleven minutes after it was shown leads to the record at once',
    requirements: ['K-client-exchange-token-spent'],
    expect: { 'after eleven minutes': sees('patient') },
    async play(world) {
      await world.signedIn();
      world.advance(EXCHANGE_MINUTES);
      await world.fillForm('after eleven minutes');
    },
    advice: 'Ask for the exchange token when the form is sent, or once more when it has expired.',
  }),
  check({
    id: 'disconnected-elsewhere',
    title: 'A record that was disconnected on another device leads to the form, and to the record again',
    requirements: ['1-form-on-refusal'],
    expect: { 'reads the record': whereReadRefused(sees('form')), 'connects again': sees('patient') },
    async play(world) {
      await world.linked();
      await world.disconnectElsewhere(darya);
      await world.press('reads the record', 'readPatient');
      await world.wayOn('connects again');
    },
    unshown: ({ of }) => unrefused(of('reads the record')),
    advice: 'Take the refusal of get_patient for the truth, whatever the client remembers of a link.',
  }),
  check({
    id: 'restart-keeps-session',
    title: 'A restart goes on with the session or asks for a new sign-in, as it does after a logout',
    requirements: ['K-client-corrections'],
    expect: {
      restarts: sees('patient', 'signedOut', 'code'),
      'the way on': sees('patient'),
      'restarts signed out': sees('signedOut'),
    },
    async play(world) {
      await world.linked();
      await world.press('restarts', 'restart');
      await world.wayOn('the way on');
      await world.signedOut();
      await world.press('restarts signed out', 'restart');
    },
    advice:
      'Keep the session where only this application can read it, or sign the person out and ask for a sign-in.',
  }),
];

const AFTER_TRIES = 'after five tries';
/** Failed matches after which an exchange token is refused. */
const MAX_TRIES = 5;
/** An exchange token lives ten minutes. */
const EXCHANGE_MINUTES = 11;

/** Judges the scenario `exchange-token-renewed` once more: how many tries a token has is left to a server. */
export const exhaustedTokenRenewed: Check = checkOf('exchange-token-renewed', {
  id: 'exhausted-token-renewed',
  title: 'An exchange token that has had its tries is replaced by a new one',
  requirements: ['K-client-exchange-token-spent'],
  expect: { [AFTER_TRIES]: sees('patient') },
  advice: 'Ask for a new exchange token when authenticate answers -33002, and try once more.',
});

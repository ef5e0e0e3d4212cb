/** Checks of what a client keeps, for how long and for whom: session, user_sign, exchange token. */
import { type ClientCheck, check, fault, sees, unrefused, whereReadRefused } from '../check.ts';
import { fitsNobody, people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import type { ClientWorld } from '../world.ts';
import { ofNewestLink, signSent } from './flow.ts';

const { darya, wilhelm } = people;
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
      // The user_sign of the former link must not go along any more.
      await world.signedOut();
      await (world as ClientWorld).signInAgain('signs in once more');
    },
    advice: 'A record that was disconnected on another device is no error of the sign-in: show the form.',
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
    requirements: ['1-authenticate-in-time'],
    expect: { 'after eleven minutes': sees('patient') },
    async play(world) {
      await world.signedIn();
      await fitsNobodyYet(world as ClientWorld);
      world.advance(EXCHANGE_MINUTES);
      await world.wayOn('after eleven minutes');
    },
    advice: 'Ask for a new exchange token when authenticate answers -33000 or -33001, and try once more.',
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
];

const EXCHANGE_MINUTES = 11;

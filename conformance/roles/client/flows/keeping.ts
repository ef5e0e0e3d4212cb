/** Flows about what a client keeps, for how long and for whom: session, user_sign, exchange token. */
import { leadsTo, READ_REFUSED } from '../expectations.ts';
import { type ClientFlow, fault, flow, seenValue, unrefused } from '../flow.ts';
import { fitsNobody, people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import type { ClientWorld } from '../world.ts';
import { ofNewestLink, signSent } from './flow.ts';

const { darya, wilhelm } = people;
async function fitsNobodyYet(world: ClientWorld): Promise<void> {
  const values = { do: 'fillForm', values: fitsNobody } as const;
  const screen = await world.mustSee('fits nobody', ['form', 'error'], values);
  if (screen === 'error') await world.mustSee('goes back to the form', ['form'], { do: 'readPatient' });
}

export const keepingFlows: readonly ClientFlow[] = [
  flow('user-sign-kept', {
    async play(world) {
      await world.linked();
      await world.signedOut();
      await world.press('restarts', 'restart')();
      await world.sees(world.signInAgain('signs in again'), 'patient');
    },
    checks: {
      'user-sign-kept': {
        title:
          'The user_sign is kept over a logout and a restart, goes along with the next sign-in, and opens the record',
        requirements: ['K-client-sign-kept'],
        ofKeptSign: true,
        judge: ofNewestLink('signs in again'),
        advice: 'Keep the user_sign for each phone, and send it as ehr_user_sign with auth.confirm_otp.',
      },
    },
  }),
  flow('unlinked-sign-in-leads-to-form', {
    async play(world) {
      await world.linked();
      await world.signedOut();
      await world.disconnectElsewhere(darya);
      await world.sees(world.signInAgain('signs in unlinked'), 'form');
      await world.sees(world.fillForm('connects again'), 'patient');
      // The user_sign of the former link must not go along any more.
      await world.signedOut();
      await world.signInAgain('signs in once more')();
    },
    checks: {
      'unlinked-sign-in-leads-to-form': {
        title: 'A sign-in whose user_sign opens nothing any more leads to the form, and to the record again',
        requirements: ['1-form-on-refusal'],
        advice: 'A record that was disconnected on another device is no error of the sign-in: show the form.',
      },
    },
  }),
  flow('signs-of-each-person', {
    async play(world) {
      await world.linked();
      await world.signedOut();
      await world.sees(world.signInAgain('the other signs in', wilhelm), 'form');
      await world.mustSee('fills in the form', ['patient'], { do: 'fillForm', values: wilhelm.form });
      await world.ok(world.press('the other reads', 'readPatient'), 'patient');
      world.trouble(EHR_METHODS.read, 'reset', 2);
      await world.sees(world.press('not reached', 'readPatient'), 'error', 'form', 'signedOut', 'patient');
    },
    checks: {
      'signs-of-each-person': {
        title:
          'The user_sign of one person is not sent for another, and the record of one is not shown to another',
        requirements: ['K-client-sign-of-own-link', 'K-client-shows-what-is-served'],
        judge({ of }) {
          const steps = [of('the other signs in'), of('the other reads'), of('not reached')];
          if (signSent(steps) !== undefined)
            return fault('no user_sign of the first person', 'one is sent', of('the other signs in'));
          const other = steps.find((step) => seenValue(step, 'record') === 'darya');
          return other && fault('the own record or none', 'that of the first person is shown', other);
        },
        advice:
          'Keep a user_sign under the phone of its person, and remove the record when the person changes.',
      },
    },
  }),
  flow('exchange-token-of-each-person', {
    async play(world) {
      await world.signedIn();
      await fitsNobodyYet(world);
      await world.signedOut();
      await world.signedIn(wilhelm);
      await world.sees(world.fillForm('the other connects', wilhelm.form), 'patient');
    },
    checks: {
      'exchange-token-of-each-person': {
        title: 'A person who signs in after another one connects the own record',
        requirements: ['K-client-forgets'],
        advice: 'Forget the exchange token with the session that asked for it.',
      },
    },
  }),
  flow('exchange-token-renewed', {
    async play(world) {
      await world.signedIn();
      await fitsNobodyYet(world);
      world.advance(EXCHANGE_MINUTES);
      await world.sees(world.wayOn('after eleven minutes'), 'patient');
    },
    checks: {
      'exchange-token-renewed': {
        title: 'An exchange token that has expired is replaced by a new one',
        requirements: ['1-authenticate-in-time'],
        advice: 'Ask for a new exchange token when authenticate answers -33000 or -33001, and try once more.',
      },
    },
  }),
  flow('disconnected-elsewhere', {
    async play(world) {
      await world.linked();
      await world.disconnectElsewhere(darya);
      await world.press('reads the record', 'readPatient')(leadsTo(['form'], { where: READ_REFUSED }));
      await world.sees(world.wayOn('connects again'), 'patient');
    },
    checks: {
      'disconnected-elsewhere': {
        title: 'A record that was disconnected on another device leads to the form, and to the record again',
        requirements: ['1-form-on-refusal'],
        unshown: ({ of }) => unrefused(of('reads the record')),
        advice: 'Take the refusal of get_patient for the truth, whatever the client remembers of a link.',
      },
    },
  }),
];

const EXCHANGE_MINUTES = 11;

/** Flows of the form, of what a client tells when a server refuses it, and of the way on from there (§7). */
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { Reason } from '#protocol/wire/errors.ts';
import type { Fault } from '../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { screens } from '../drivers/driver.ts';
import { type ClientFlow, callsIn, exchangesIn, fault, flow, screenOf, seenIn } from '../flow.ts';
import { fitsNobody, people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import { leadsTo, tells } from '../world.ts';
import { AUTHENTICATE } from './flow.ts';

const READ = `ehr ${EHR_METHODS.read}`;

const OF_AUTHENTICATE: readonly Reason[] = [
  ...ehrMethods[EHR_METHODS.authenticate].errors,
  // Reasons for which a server may refuse any method.
  ...(['internal_error', 'invalid_params'] as const),
];

/** The refusals that the interface names: the exchange token has expired or is unknown, nobody fits. */
const NAMED: readonly Reason[] = ['exchange_token_unknown', 'exchange_token_expired', 'patient_not_matched'];

const after = (reason: Reason) => `after ${reason}`;

export const errorFlows: readonly ClientFlow[] = [
  flow('errors-of-authenticate-told', {
    title: 'Each error of authenticate that the interface names is no success, and the record comes after it',
    requirements: ['7-client-handles-errors'],
    judge: ({ of }) => takenForLink(NAMED.map((reason) => of(after(reason)))),
    advice: 'Take an error of authenticate for no success, and let the next right action lead to the record.',
    async play(world) {
      const ofNamed = leadsTo(screens, { check: 'errors-of-authenticate-told' });
      const others = { check: 'other-errors-of-authenticate-told' };
      await world.linked();
      for (const reason of OF_AUTHENTICATE) {
        const isNamed = NAMED.includes(reason);
        await world.formAgain();
        await world.amid(EHR_METHODS.authenticate, { refuse: reason }, () =>
          world.fillForm(after(reason))(tells([], others), ...(isNamed ? [ofNamed] : [])),
        );
        await world.wayOn(`the way on after ${reason}`)(leadsTo(['patient'], isNamed ? {} : others));
      }
    },
    checks: {
      'other-errors-of-authenticate-told': {
        title: 'Each error of authenticate is told in words, and there is a way on to the record',
        requirements: ['K-client-errors-told'],
        advice:
          'Give each reason a sentence of its own with what the person can do, and let the next right action succeed.',
      },
    },
  }),
  flow('no-match-keeps-form', {
    title: 'Properties that fit nobody are no success, and the right ones lead to the record',
    requirements: ['7-client-handles-errors'],
    judge: ({ of }) => takenForLink([of('fits nobody')]),
    advice: 'Show no record, and let the person fill in the form again.',
    async play(world) {
      const check = 'no-match-keeps-form';
      const told = tells(['form'], { check: 'no-match-told-at-form' });
      await world.signedIn();
      await world.fillForm('fits nobody', fitsNobody)(leadsTo(screens, { check }), told);
      // Where the form is closed, the person opens the record first, and the form comes again.
      await world.wayOn('corrected')(leadsTo(['patient'], { check }));
    },
    checks: {
      'no-match-told-at-form': {
        title: 'Properties that fit nobody are told at the form, which stays open',
        requirements: ['K-client-errors-told'],
        advice: 'Leave the form open with what was typed, and say that the details fit no record.',
      },
    },
  }),
];

export function takenForLink(steps: readonly PlayedStep[]): Fault | undefined {
  const isAnswered = (step: PlayedStep) =>
    [AUTHENTICATE, READ]
      .flatMap((call) => exchangesIn([step], call))
      .some(({ fault: disturbed, facts }) => disturbed === undefined && facts.reply?.result === true);
  const wrong = steps.find((step) => screenOf(step) === 'patient' && !isAnswered(step));
  return wrong && fault('no success', seenIn(wrong), wrong);
}

const { darya, maria } = people;

export const formFlows: readonly ClientFlow[] = [
  flow('phone-as-people-write-it', {
    title: 'A phone with signs or an extension leads to the record, or the person is told how to write it',
    requirements: ['K-client-errors-told'],
    advice: 'Remove the extension, and everything but the digits, before the form is sent.',
    async play(world) {
      const phone = '+7 (916) 111-22-33';
      await world.signedIn();
      // A client may refuse an extension, so that the signs are typed without one first.
      await world.tells(world.fillForm('a phone with signs', { ...darya.form, phone }), 'patient', 'form');
      await world.sees(world.wayOn('the way on'), 'patient');
      await world.formAgain();
      const extended = { ...darya.form, phone: `${phone} ext. 4` };
      await world.tells(world.fillForm('a phone with an extension', extended), 'patient', 'form');
      await world.sees(world.wayOn('the way on after it'), 'patient');
    },
  }),
  flow('names-of-several-words', {
    title: 'Names of several words lead to the record',
    requirements: ['2.5-names'],
    advice: 'Send the texts of the form unchanged, in UTF-8.',
    async play(world) {
      await world.signedIn(maria);
      // Not every form has a choice for a gender that is not known, as hers is.
      await world.sees(world.fillForm('fills in the form', { ...maria.form, gender: 1 }), 'patient');
    },
  }),
  flow('form-sent-once', {
    title: 'The form is sent once, however fast the person acts twice',
    requirements: ['K-client-acts-once'],
    judge({ of }) {
      const twice = of('twice at once');
      const times = callsIn(twice).filter((call) => call === AUTHENTICATE).length;
      return times > 1 ? fault(`${AUTHENTICATE} once`, `${times} times`, twice) : undefined;
    },
    unshown: ({ of }) =>
      callsIn(of('twice at once')).includes(AUTHENTICATE) ? undefined : 'no such call is made',
    advice: 'Ignore the action while the first one is under way.',
    async play(world) {
      await world.signedIn();
      const sends = { do: 'fillForm', values: darya.form } as const;
      await world.answers(world.act('twice at once', sends, sends));
      await world.sees(world.wayOn('the way on'), 'patient');
    },
  }),
];

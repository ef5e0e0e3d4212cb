/** Checks of the form, of what a client tells when a server refuses it, and of the way on from there (§7). */
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { Reason } from '#protocol/wire/errors.ts';
import type { Check } from '../../../engine/check/check.ts';
import type { Fault } from '../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import {
  answers,
  type ClientCheck,
  callsIn,
  check,
  checkOf,
  each,
  exchangesIn,
  fault,
  screenOf,
  seenIn,
  sees,
  told,
} from '../check.ts';
import { fitsNobody, people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import type { ClientWorld } from '../world.ts';
import { AUTHENTICATE } from './flow.ts';

const READ = `ehr ${EHR_METHODS.read}`;
const ADVICE =
  'Give each reason a sentence of its own with what the person can do, and let the next right action succeed.';

const OF_AUTHENTICATE: readonly Reason[] = [
  ...ehrMethods[EHR_METHODS.authenticate].errors,
  // Reasons for which a server may refuse any method.
  ...(['internal_error', 'invalid_params'] as const),
];

/** The refusals that the interface names: the exchange token has expired or is unknown, nobody fits. */
const NAMED: readonly Reason[] = ['exchange_token_unknown', 'exchange_token_expired', 'patient_not_matched'];

const after = <R extends Reason>(reason: R) => `after ${reason}` as const;
const wayOnAfter = <R extends Reason>(reason: R) => `the way on after ${reason}` as const;

const toldWithWayOn = (reasons: readonly Reason[]) => ({
  ...each(reasons.map(after), told()),
  ...each(reasons.map(wayOnAfter), sees('patient')),
});

export const errorChecks: readonly ClientCheck[] = [
  check({
    id: 'errors-of-authenticate-told',
    title: 'Each error of authenticate that the interface names is no success, and the record comes after it',
    requirements: ['7-client-handles-errors'],
    expect: { ...each(NAMED.map(after), answers), ...each(NAMED.map(wayOnAfter), sees('patient')) },
    async play(given) {
      const world = given as ClientWorld;
      await world.linked();
      for (const reason of OF_AUTHENTICATE) {
        await world.formAgain();
        await world.amid(EHR_METHODS.authenticate, { refuse: reason }, () => world.fillForm(after(reason)));
        await world.wayOn(wayOnAfter(reason));
      }
    },
    judge: ({ of }) => takenForLink(NAMED.map((reason) => of(after(reason)))),
    advice: 'Take an error of authenticate for no success, and let the next right action lead to the record.',
  }),
  check({
    id: 'no-match-keeps-form',
    title: 'Properties that fit nobody are no success, and the right ones lead to the record',
    requirements: ['7-client-handles-errors'],
    expect: { 'fits nobody': answers, corrected: sees('patient') },
    async play(world) {
      await world.signedIn();
      await world.fillForm('fits nobody', fitsNobody);
      // Where the form is closed, the person opens the record first, and the form comes again.
      await world.wayOn('corrected');
    },
    judge: ({ of }) => takenForLink([of('fits nobody')]),
    advice: 'Show no record, and let the person fill in the form again.',
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

export const refusalsTold: readonly Check[] = [
  checkOf('errors-of-authenticate-told', {
    id: 'other-errors-of-authenticate-told',
    title: 'Each error of authenticate is told in words, and there is a way on to the record',
    requirements: ['K-client-errors-told'],
    expect: toldWithWayOn(OF_AUTHENTICATE),
    advice: ADVICE,
  }),
  checkOf('no-match-keeps-form', {
    id: 'no-match-told-at-form',
    title: 'Properties that fit nobody are told at the form, which stays open',
    requirements: ['K-client-errors-told'],
    expect: { 'fits nobody': told('form') },
    advice: 'Leave the form open with what was typed, and say that the details fit no record.',
  }),
];

const { darya, maria } = people;

export const formChecks: readonly ClientCheck[] = [
  check({
    id: 'phone-as-people-write-it',
    title: 'A phone with signs or an extension leads to the record, or the person is told how to write it',
    requirements: ['K-client-errors-told'],
    expect: {
      'a phone with signs': told('patient', 'form'),
      'the way on': sees('patient'),
      'a phone with an extension': told('patient', 'form'),
      'the way on after it': sees('patient'),
    },
    async play(world) {
      await world.signedIn();
      // A client may refuse an extension, so that the signs are typed without one first.
      await world.fillForm('a phone with signs', { ...darya.form, phone: '+7 (916) 111-22-33' });
      await world.wayOn('the way on');
      await world.formAgain();
      await world.fillForm('a phone with an extension', {
        ...darya.form,
        phone: '+7 (916) 111-22-33 ext. 4',
      });
      await world.wayOn('the way on after it');
    },
    advice: 'Remove the extension, and everything but the digits, before the form is sent.',
  }),
  check({
    id: 'names-of-several-words',
    title: 'Names of several words lead to the record',
    requirements: ['2.5-names'],
    expect: { 'fills in the form': sees('patient') },
    async play(world) {
      await world.signedIn(maria);
      // Not every form has a choice for a gender that is not known, as hers is.
      await world.fillForm('fills in the form', { ...maria.form, gender: 1 });
    },
    advice: 'Send the texts of the form unchanged, in UTF-8.',
  }),
  check({
    id: 'form-sent-once',
    title: 'The form is sent once, however fast the person acts twice',
    requirements: ['K-client-acts-once'],
    expect: { 'twice at once': answers, 'the way on': sees('patient') },
    async play(world) {
      await world.signedIn();
      const sends = { do: 'fillForm', values: darya.form } as const;
      await world.act('twice at once', sends, sends);
      await world.wayOn('the way on');
    },
    judge({ of }) {
      const twice = of('twice at once');
      const times = callsIn(twice).filter((call) => call === AUTHENTICATE).length;
      return times > 1 && fault(`${AUTHENTICATE} once`, `${times} times`, twice);
    },
    unshown: ({ of }) =>
      callsIn(of('twice at once')).includes(AUTHENTICATE) ? undefined : 'no such call is made',
    advice: 'Ignore the action while the first one is under way.',
  }),
];

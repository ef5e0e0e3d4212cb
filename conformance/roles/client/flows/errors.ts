/**
 * Checks of what a client tells its user when a server refuses a call, and of the way on from there (§7).
 * Each reason that the interface names for a method is played by the kit's servers. In `expect`, `sees(...)`
 * names the screens to which a step may lead; `told(...)` also requires a sentence that says what is the
 * matter, on every screen but `patient`. Without names it takes any screen.
 * `wayOn` plays several steps under one label: what each screen asks for, until the record is there.
 */
import { type AuthMethod, authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { Reason } from '#protocol/wire/errors.ts';
import type { Check } from '../../../engine/check/check.ts';
import { done } from '../../../engine/check/red-change.ts';
import type { Fault } from '../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import {
  answers,
  type ClientCheck,
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
import { AUTHENTICATE } from './signs.ts';

const { darya } = people;
const READ = `ehr ${EHR_METHODS.read}`;
/** The advice of several checks. */
const ADVICE =
  'Give each reason a sentence of its own with what the person can do, and let the next right action succeed.';

/** Reasons for which a server may refuse any method. */
const OF_EVERY_METHOD = ['internal_error', 'invalid_params'] as const;
/** All reasons for which the authorization server may refuse a method. */
const reasonsOf = (method: AuthMethod): readonly Reason[] => [
  ...authMethods[method].errors,
  ...OF_EVERY_METHOD,
];
/** All reasons for which the EHR server may refuse authenticate. */
const OF_AUTHENTICATE: readonly Reason[] = [
  ...ehrMethods[EHR_METHODS.authenticate].errors,
  ...OF_EVERY_METHOD,
];

/** The refusals that the interface names: the exchange token has expired or is unknown, nobody fits. */
const NAMED: readonly Reason[] = ['exchange_token_unknown', 'exchange_token_expired', 'patient_not_matched'];

/** Refusals of authenticate after which another exchange token is needed. */
const DEAD_TOKENS = ['exchange_token_unknown', 'exchange_token_expired', 'exchange_token_exhausted'] as const;

/** The text on the screen after a step; '' where the client failed. */
const textOf = ({ result }: PlayedStep): string => (result.kind === 'done' ? (result.values.text ?? '') : '');

/**
 * Labels of steps: the refused action, the way on after it, and a form whose report of the link is refused.
 */
const after = <R extends Reason>(reason: R) => `after ${reason}` as const;
const wayOnAfter = <R extends Reason>(reason: R) => `the way on after ${reason}` as const;
const ofReport = <R extends Reason>(reason: R) => `report: ${reason}` as const;

/** Expects that each refusal is told, and that the person comes to the record afterwards. */
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
    red: ({ outcome }) =>
      outcome(
        { scenario: 'errors-of-authenticate-told', label: after('patient_not_matched') },
        done({ sees: 'patient' }),
      ),
  }),
  check({
    id: 'errors-told-apart',
    title: 'Errors of authenticate that ask for different things of the person are told by different texts',
    requirements: ['K-client-errors-told'],
    expect: { patient_not_matched: told(), too_many_failed_matches: told(), patient_already_linked: told() },
    async play(world) {
      await world.signedIn();
      for (const reason of [
        'patient_not_matched',
        'too_many_failed_matches',
        'patient_already_linked',
      ] as const) {
        world.trouble(EHR_METHODS.authenticate, { refuse: reason });
        await world.fillForm(reason);
        await world.mustSee('reads the record', ['form'], { do: 'readPatient' });
      }
    },
    judge({ of }) {
      const steps = [of('patient_not_matched'), of('too_many_failed_matches'), of('patient_already_linked')];
      const texts = new Set(steps.map(textOf));
      if (texts.size === steps.length) return undefined;
      const shownTexts = [...texts].join(' / ');
      const actual = texts.size === 1 ? `the same: ${shownTexts}` : `${texts.size}: ${shownTexts}`;
      return fault('three texts', actual, ...steps);
    },
    advice: 'Say what is the matter: other details, waiting, and asking the clinic are different ways on.',
  }),
  check({
    id: 'dead-exchange-token-told-apart',
    title:
      'An exchange token that leads nowhere neither signs the person out nor is told as details that fit nobody',
    requirements: ['K-client-errors-told'],
    expect: { 'fits nobody': told(), ...each(DEAD_TOKENS, told('form', 'error', 'patient')) },
    async play(world) {
      await world.signedIn();
      await world.fillForm('fits nobody', fitsNobody);
      for (const reason of DEAD_TOKENS) {
        await world.mustSee('reads the record', ['form'], { do: 'readPatient' });
        await world.amidAll(EHR_METHODS.authenticate, { refuse: reason }, () => world.fillForm(reason));
      }
    },
    judge({ of }) {
      const nobody = of('fits nobody');
      // A text that both steps share tells the person to correct details that are right.
      const alike = DEAD_TOKENS.map((reason) => of(reason)).find((step) => textOf(step) === textOf(nobody));
      return alike && fault('a text of its own', `the same: ${textOf(alike)}`, nobody, alike);
    },
    advice:
      'Ask for a new exchange token and try once more; if that fails too, say that the form can be sent again.',
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
  check({
    id: 'errors-of-sign-in-told',
    title: 'Each error of the sign-in is told in words, and there is a way on to the form',
    requirements: ['K-client-errors-told'],
    expect: {
      ...each(
        [...reasonsOf('auth.request_otp'), ...reasonsOf('auth.confirm_otp')].map(after),
        told('code', 'error', 'signedOut'),
      ),
      'signs in at last': sees('form'),
    },
    async play(world) {
      const signIn = { do: 'signIn', phone: darya.signIn } as const;
      for (const reason of reasonsOf('auth.request_otp')) {
        await world.amid('auth.request_otp', { refuse: reason }, () => world.act(after(reason), signIn));
      }
      for (const reason of reasonsOf('auth.confirm_otp')) {
        await world.askForCode();
        await world.amid('auth.confirm_otp', { refuse: reason }, () => world.enterCode(after(reason)));
      }
      await world.askForCode();
      await world.enterCode('signs in at last');
    },
    advice: ADVICE,
  }),
  check({
    id: 'errors-of-exchange-told',
    title: 'Each error of auth.exchange_token and auth.report_link is told or made up for, with a way on',
    requirements: ['K-client-errors-told'],
    expect: {
      ...toldWithWayOn(reasonsOf('auth.exchange_token')),
      ...each(reasonsOf('auth.report_link').map(ofReport), told()),
      'the record at last': sees('patient'),
    },
    async play(world) {
      await world.linked();
      for (const reason of reasonsOf('auth.exchange_token')) {
        await world.formAgain();
        await world.amid('auth.exchange_token', { refuse: reason }, () => world.fillForm(after(reason)));
        await world.wayOn(wayOnAfter(reason));
      }
      for (const reason of reasonsOf('auth.report_link')) {
        await world.formAgain();
        await world.amid('auth.report_link', { refuse: reason }, () => world.fillForm(ofReport(reason)));
        await world.wayOn('the record at last');
      }
    },
    advice: ADVICE,
  }),
];

/** A fault where one of these steps shows a record that no undisturbed answer of the EHR server gave. */
export function takenForLink(steps: readonly PlayedStep[]): Fault | undefined {
  const isAnswered = (step: PlayedStep) =>
    [AUTHENTICATE, READ]
      .flatMap((call) => exchangesIn([step], call))
      .some(({ fault: disturbed, facts }) => disturbed === undefined && facts.reply?.result === true);
  const wrong = steps.find((step) => screenOf(step) === 'patient' && !isAnswered(step));
  return wrong && fault('no success', seenIn(wrong), wrong);
}

/** Further checks of the scenarios in which authenticate is refused: what the person is told, and where. */
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

/** Flows of the form and of replies: errors, those of other calls, and of servers of other makes (§2, §7). */
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { Reason } from '#protocol/wire/errors.ts';
import type { Fault } from '../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { PHONE_IN_FORM, screens } from '../drivers/driver.ts';
import { type ClientFlow, fault, flow } from '../flow.ts';
import { fitsNobody, people } from '../people/people.ts';
import { CALLS, callsIn, exchangesIn, screenOf, seenIn } from '../seen.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import { oddCodes, SENT_ELSEWHERE } from '../servers/troubles.ts';
import { leadsTo, tells } from '../world.ts';

const { darya, maria, wilhelm } = people;

const OF_AUTHENTICATE: readonly Reason[] = [
  ...ehrMethods[EHR_METHODS.authenticate].errors,
  // Reasons for which a server may refuse any method.
  'internal_error',
  'invalid_params',
];

/** The refusals that the interface names: the exchange token has expired or is unknown, nobody fits. */
const NAMED: readonly Reason[] = ['exchange_token_unknown', 'exchange_token_expired', 'patient_not_matched'];

const after = (reason: Reason) => `after ${reason}`;

function takenForLink(steps: readonly PlayedStep[]): Fault | undefined {
  const isAnswered = (step: PlayedStep) =>
    [CALLS.authenticate, CALLS.read]
      .flatMap((call) => exchangesIn([step], call))
      .some(({ fault: disturbed, facts }) => disturbed === undefined && facts.reply?.result === true);
  const wrong = steps.find((step) => screenOf(step) === 'patient' && !isAnswered(step));
  return wrong && fault('no success', seenIn(wrong), wrong);
}

export const formFlows: readonly ClientFlow[] = [
  flow('phone-as-people-write-it', {
    title: 'A phone with signs or an extension leads to the record, or the person is told how to write it',
    requirements: ['K-client-errors-told'],
    advice: 'Remove the extension, and everything but the digits, before the form is sent.',
    needs: PHONE_IN_FORM,
    async play(world) {
      const phone = '+7 (916) 111-22-33';
      await world.signedIn();
      // A client may refuse an extension, so that the signs are typed without one first.
      await world.tells(world.fillForm('a phone with signs', { ...darya.form, phone }), 'patient', 'form');
      await world.leadsTo(world.wayToRecord('the way on'), 'patient');
      await world.formAgain();
      const extended = { ...darya.form, phone: `${phone} ext. 4` };
      await world.tells(world.fillForm('a phone with an extension', extended), 'patient', 'form');
      await world.leadsTo(world.wayToRecord('the way on after it'), 'patient');
    },
  }),
  flow('names-of-several-words', {
    title: 'Names of several words lead to the record',
    requirements: ['2.5-names'],
    advice: 'Send the texts of the form unchanged, in UTF-8.',
    async play(world) {
      await world.signedIn(maria);
      // Not every form has a choice for a gender that is not known, as hers is.
      await world.leadsTo(world.fillForm('fills in the form', { ...maria.form, gender: 1 }), 'patient');
    },
  }),
  flow('form-sent-once', {
    title: 'The form is sent once, however fast the person acts twice',
    requirements: ['K-client-acts-once'],
    judge({ of }) {
      const twice = of('twice at once');
      const times = callsIn(twice).filter((call) => call === CALLS.authenticate).length;
      return times > 1 ? fault(`${CALLS.authenticate} once`, `${times} times`, twice) : undefined;
    },
    unshown: ({ of }) =>
      callsIn(of('twice at once')).includes(CALLS.authenticate) ? undefined : 'no such call is made',
    advice: 'Ignore the action while the first one is under way.',
    async play(world) {
      await world.signedIn();
      const sends = { do: 'fillForm', values: darya.form } as const;
      // The second press of a hand comes while the first call is under way.
      const twice = () => world.leadsAnywhere(world.act('twice at once', sends, sends));
      await world.whileTroubled(EHR_METHODS.authenticate, 'held', twice);
      await world.leadsTo(world.wayToRecord('the way on'), 'patient');
    },
  }),
];

const METHODS = [
  ...['auth.request_otp', 'auth.confirm_otp', 'auth.exchange_token', 'auth.report_link', 'auth.logout'],
  ...Object.values(EHR_METHODS),
];
const OTHER_MAKES = [
  ['ids as numbers', 'number-id'],
  ['further members', 'more-members'],
] as const;

const bare = (reason: Reason) => ({ refuse: reason, isBare: true }) as const;

export const replyFlows: readonly ClientFlow[] = [
  flow('replayed-sign-in-refused', {
    title: 'The reply to the sign-in of another person, sent once more, opens no session',
    requirements: ['K-client-replies-of-own-calls'],
    judge({ of }) {
      const replayed = of('an earlier reply');
      const calls = callsIn(replayed).filter((call) => call.startsWith('ehr'));
      const confirmed = exchangesIn([replayed], CALLS.confirmOtp);
      // A client that asks once more, and gets the true answer, is right.
      if (calls.length === 0 || confirmed.some(({ fault }) => fault === undefined)) return undefined;
      return fault('no call with the session of that reply', calls.join(', '), replayed);
    },
    advice: 'Take a reply only when its id is that of the call: a cache may send one that it has kept.',
    async play(world) {
      await world.linked(wilhelm);
      await world.signedOut();
      const refused = ['code', 'error', 'signedOut'] as const;
      await world.askForCode();
      const replayed = () => world.leadsTo(world.enterCode('an earlier reply'), ...refused);
      await world.whileTroubled('auth.confirm_otp', 'replayed', replayed);
      await world.askForCode();
      const toNobody = () => world.leadsTo(world.enterCode('a reply to nobody'), ...refused);
      await world.whileTroubled('auth.confirm_otp', 'null-id', toNobody);
      await world.leadsTo(world.signInAgain('signs in'), 'form');
    },
  }),
  flow('replies-of-other-servers', {
    title: 'Replies with ids as numbers, or with further members, lead to the record',
    requirements: ['K-client-any-server'],
    advice: 'Compare ids as texts, and ignore what you do not know.',
    async play(world) {
      for (const [label, kind] of OTHER_MAKES) {
        for (const method of METHODS) world.disturb(method, kind, 'always');
        await world.leadsTo(world.act(label, { do: 'signIn', phone: darya.signIn }), 'patient');
        await world.leadsTo(world.enterCode(label), 'patient');
        await world.leadsTo(world.fillForm(label), 'patient');
        await world.settled();
        // The last round stays signed in, for the logout below.
        if (kind === 'more-members') break;
        world.endTroubles();
        await world.disconnectElsewhere(darya);
        await world.startOver();
      }
      await world.leadsTo(world.press('logs out', 'logout'), 'signedOut');
    },
  }),
  flow('errors-by-number-alone', {
    title:
      'Errors without a reason beside their number are told, and lead to the form or to a new exchange token',
    requirements: ['K-client-any-server'],
    advice: 'Decide by the number of an error; a reason beside it may be missing, and only says more.',
    async play(world) {
      await world.linked();
      const read = () => world.tells(world.press('get_patient: -33000', 'readPatient'), 'form');
      await world.whileAllTroubled(EHR_METHODS.read, bare('not_authorized'), read);
      world.disturb(EHR_METHODS.authenticate, bare('exchange_token_expired'));
      await world.tells(world.fillForm('authenticate: -33001'));
      await world.leadsTo(world.wayToRecord('the record again'), 'patient');
      await world.formAgain();
      world.disturb(EHR_METHODS.authenticate, bare('patient_not_matched'));
      await world.tells(world.fillForm('authenticate: -34001'), 'form', 'error');
      await world.signedOut();
      await world.askForCode();
      world.disturb('auth.confirm_otp', bare('otp_wrong'));
      await world.tells(world.enterCode('confirm_otp: a wrong code'), 'code', 'error', 'signedOut');
      world.endTroubles();
      await world.leadsTo(world.signInAgain('signs in at last'), 'patient', 'form');
    },
  }),
  flow('errors-without-number', {
    title: 'After an error of authenticate whose code is no number the record comes',
    requirements: ['7-client-handles-errors'],
    judge: ({ of }) => takenForLink(oddCodes.map((code) => of(`code ${code}`))),
    advice: 'Take any error for a refusal, whether its code is a number, a text, null or absent.',
    async play(world) {
      await world.linked();
      for (const code of oddCodes) {
        await world.formAgain();
        const refusal = { ...bare('patient_not_matched'), code };
        const fill = () => world.leadsAnywhere(world.fillForm(`code ${code}`));
        await world.whileAllTroubled(EHR_METHODS.authenticate, refusal, fill);
        await world.leadsTo(world.wayToRecord(`the way on after code ${code}`), 'patient');
      }
    },
  }),
  flow('no-redirect-followed', {
    title: 'A call that is redirected to another address is not sent there',
    requirements: ['K-client-properties-to-ehr-alone'],
    judge: ({ of, observed }) =>
      observed(SENT_ELSEWHERE) &&
      fault('no call to another address', 'the form is sent there', of('the form is redirected')),
    advice: 'Do not follow redirects of a call: what it carries is for the server that you know.',
    async play(world) {
      await world.signedIn();
      const fill = () => world.leadsAnywhere(world.fillForm('the form is redirected'));
      await world.whileTroubled(EHR_METHODS.authenticate, 'redirect', fill);
    },
  }),
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
        await world.whileTroubled(EHR_METHODS.authenticate, { refuse: reason }, () =>
          world.fillForm(after(reason))(tells([], others), ...(isNamed ? [ofNamed] : [])),
        );
        await world.wayToRecord(`the way on after ${reason}`)(leadsTo(['patient'], isNamed ? {} : others));
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
      await world.wayToRecord('corrected')(leadsTo(['patient'], { check }));
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

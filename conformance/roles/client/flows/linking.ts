/** Flows of the way from the sign-in to the record (§1). */
import type { Fault, Steps } from '../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { screens } from '../drivers/driver.ts';
import { type ClientFlow, fault, flow } from '../flow.ts';
import { people } from '../people/people.ts';
import { CALLS, callsIn, exchangesIn, isReadRefused, screenOf, seenIn, whyNotRefused } from '../seen.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import { leadsTo, READ_REFUSED } from '../world.ts';

function userSignIn(body = ''): string | undefined {
  return /"(?:user_sign|userSign)"\s*:\s*"([^"]+)"/.exec(body)?.[1];
}

export function signSent(steps: readonly PlayedStep[]): string | undefined {
  const body = exchangesIn(steps, CALLS.confirmOtp).at(-1)?.request.body ?? '';
  return /"ehr_user_sign"\s*:\s*"([^"]+)"/.exec(body)?.[1];
}

const signGiven = (steps: readonly PlayedStep[]) =>
  userSignIn(exchangesIn(steps, CALLS.authenticate).at(-1)?.response?.body);

const insteadOf = (sent: string | undefined) => (sent === undefined ? 'none is sent' : 'another is sent');

export const ofNewestLink =
  (label: string) =>
  ({ own, all }: Steps): Fault | undefined => {
    const last = all(label).slice(-1);
    const sent = signSent(last);
    if (sent !== undefined && sent === signGiven(own())) return undefined;
    return fault('the user_sign of the link in auth.confirm_otp', insteadOf(sent), ...last);
  };

export const linkingFlows: readonly ClientFlow[] = [
  flow('sign-in-comes-first', {
    title: 'The client signs in at the authorization server before it calls the EHR server',
    requirements: ['1-sign-in-comes-first', '4.4-caller'],
    judge({ of, own }) {
      const calls = callsIn(...own());
      const [confirmed, read] = [calls.indexOf(CALLS.confirmOtp), calls.indexOf(CALLS.read)];
      if (confirmed >= 0 && read > confirmed && calls.find((call) => call.startsWith('ehr')) === CALLS.read)
        return undefined;
      const actual = `the calls are ${calls.join(', ')}`;
      return fault(`auth.confirm_otp, and then ${CALLS.read}`, actual, of('enters the code'));
    },
    advice: 'Ask for the record with the session of the sign-in, and for nothing before.',
    async play(world) {
      await world.leadsTo(world.press('reads without a sign-in', 'readPatient'), 'signedOut', 'error');
      await world.askForCode();
      await world.leadsAnywhere(world.enterCode('enters the code'));
    },
  }),
  flow('form-after-refusal', {
    title: 'The form is shown after get_patient was refused for want of a session',
    requirements: ['1-form-on-refusal'],
    // A client without a form at the first sign-in is wrong, whatever could be played afterwards.
    settled({ find }) {
      const signsIn = find('signs in');
      if (!signsIn || !isReadRefused(signsIn) || screenOf(signsIn) === 'form') return undefined;
      const found = fault('after "signs in" the person is on the screen form', seenIn(signsIn), signsIn);
      // That check needs the form, and its flow goes on without it.
      return { ...found, isProof: true, explains: ['replies-of-other-servers'] };
    },
    unshown: ({ of }) => whyNotRefused(of('after not_authorized')),
    advice: 'Take -33000 of get_patient for "go and authenticate", and show the form.',
    async play(world) {
      await world.askForCode();
      await world.enterCode('signs in')();
      await world.mustSee('fills in the form', ['patient'], { do: 'fillForm', values: people.darya.form });
      await world.control(world.press('reads the record', 'readPatient'), 'patient');
      const where = READ_REFUSED;
      const form = leadsTo(['form'], { check: 'form-after-refusal', where });
      await world.whileAllTroubled(EHR_METHODS.read, { refuse: 'not_authorized' }, () =>
        world.press('after not_authorized', 'readPatient')(form),
      );
      const check = 'expired-session-leads-on';
      await world.whileAllTroubled(EHR_METHODS.read, { refuse: 'session_expired' }, () =>
        world.press('after session_expired', 'readPatient')(leadsTo(['form', 'signedOut'], { check, where })),
      );
      await world.wayToRecord('the way on after session_expired')(leadsTo(['patient'], { check }));
    },
    checks: {
      'expired-session-leads-on': {
        title: 'After -33001 of get_patient the form or a new sign-in leads to the record',
        requirements: ['DE-client-starts-exchange'],
        unshown: ({ of }) => whyNotRefused(of('after session_expired')),
        advice: 'Take -33001 of get_patient for "go and authenticate": show the form, or ask for a sign-in.',
      },
    },
  }),
  flow('exchange-token-first', {
    title: 'The client asks for an exchange token before authenticate, and tells of the link afterwards',
    requirements: [
      '1-exchange-token-requested',
      '1-auth-told-of-link',
      '1-authenticate-in-time',
      '4.3-params',
    ],
    judge: ({ of, own }) => notLinkedInOrder(of('fills in the form'), own()),
    advice:
      'Call auth.exchange_token, authenticate at the EHR server, and auth.report_link with its user_sign.',
    async play(world) {
      const answers = leadsTo(screens, { check: 'exchange-token-first' });
      await world.signedIn();
      await world.leadsTo(world.fillForm('fills in the form'), 'patient');
      // After the form a client may still tell the authorization server of the link.
      await world.settled();
      await world.press('opens the record again', 'readPatient')(answers);
      await world.settled();
      // A sign-in with the user_sign tells of the link, too.
      await world.signedOut();
      await world.signInAgain('signs in again')(answers);
    },
    checks: {
      'link-reported-at-once': {
        title: 'A link is reported by auth.report_link as soon as it is there',
        requirements: ['K-client-link-reported'],
        judge({ all }) {
          const filled = all('fills in the form');
          const isReported = exchangesIn(filled, CALLS.reportLink).some(({ facts }) => facts.reply?.result);
          if (isReported) return undefined;
          return fault('auth.report_link succeeds in the end', 'it never does', ...filled.slice(-2));
        },
        advice: 'Call auth.report_link with the user_sign of authenticate when the record is there.',
      },
    },
  }),
];

function notLinkedInOrder(filled: PlayedStep, own: readonly PlayedStep[]): Fault | undefined {
  const calls = callsIn(...own);
  const actual = `the calls are ${calls.join(', ')}`;
  const inOrder = [CALLS.exchangeToken, CALLS.authenticate, CALLS.reportLink];
  const [asked, made, told] = inOrder.map((call) => calls.indexOf(call));
  if (asked === undefined || made === undefined || asked < 0 || made < asked)
    return fault(`${CALLS.exchangeToken}, then ${CALLS.authenticate}`, actual, filled);
  // A report that carries a user_sign must carry that of authenticate.
  const given = signGiven([filled]);
  const [report] = exchangesIn(own, CALLS.reportLink);
  const sign = userSignIn(report?.request.body);
  if (sign !== undefined && sign !== given)
    return fault('the user_sign of authenticate is reported', 'another is', filled);
  const isTold = (told ?? -1) > made || (given !== undefined && signSent(own) === given);
  return isTold ? undefined : fault(`${CALLS.reportLink} after ${CALLS.authenticate}`, actual, ...own);
}

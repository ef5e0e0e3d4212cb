/** Checks of the way from the sign-in to the record (§1). */
import type { Check } from '../../../engine/check/check.ts';
import type { Fault } from '../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import {
  answers,
  type ClientCheck,
  type ClientSteps,
  callsIn,
  check,
  checkOf,
  exchangesIn,
  fault,
  proof,
  sees,
  unrefused,
  whereReadRefused,
} from '../check.ts';
import { people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import type { ClientWorld } from '../world.ts';

/** Calls as the journal names them: the server, a blank, the method. */
const CONFIRM = 'auth auth.confirm_otp';
const REPORT = 'auth auth.report_link';
export const AUTHENTICATE = `ehr ${EHR_METHODS.authenticate}`;

function userSignIn(body = ''): string | undefined {
  return /"(?:user_sign|userSign)"\s*:\s*"([^"]+)"/.exec(body)?.[1];
}

export function signSent(steps: readonly PlayedStep[]): string | undefined {
  const body = exchangesIn(steps, CONFIRM).at(-1)?.request.body ?? '';
  return /"ehr_user_sign"\s*:\s*"([^"]+)"/.exec(body)?.[1];
}

const signGiven = (steps: readonly PlayedStep[]) =>
  userSignIn(exchangesIn(steps, AUTHENTICATE).at(-1)?.response?.body);

const insteadOf = (sent: string | undefined) => (sent === undefined ? 'none is sent' : 'another is sent');

export const ofNewestLink =
  (label: string) =>
  ({ own, all }: Pick<ClientSteps<string>, 'own' | 'all'>): Fault | false => {
    const last = all(label).slice(-1);
    const sent = signSent(last);
    const isRight = sent !== undefined && sent === signGiven(own());
    return !isRight && fault('the user_sign of the link in auth.confirm_otp', insteadOf(sent), ...last);
  };

const READ = 'ehr patient.get_patient';
const EXCHANGE = 'auth auth.exchange_token';
/** Steps after the form, in which a client may still tell the authorization server of the link. */
const [OPENS_AGAIN, SIGNS_IN_AGAIN] = ['opens the record again', 'signs in again'] as const;

const WAY_ON = 'the way on after session_expired';

/** A check that needs the form, and whose scenario goes on without it. */
const NEEDS_FORM = ['replies-of-other-servers'];

export const flowChecks: readonly ClientCheck[] = [
  check({
    id: 'sign-in-comes-first',
    title: 'The client signs in at the authorization server before it calls the EHR server',
    requirements: ['1-sign-in-comes-first', '4.4-caller'],
    expect: { 'reads without a sign-in': sees('signedOut', 'error'), 'enters the code': answers },
    async play(world) {
      await world.press('reads without a sign-in', 'readPatient');
      await world.askForCode();
      await world.enterCode('enters the code');
    },
    judge({ of, own }) {
      const calls = callsIn(...own());
      const [confirmed, read] = [calls.indexOf('auth auth.confirm_otp'), calls.indexOf(READ)];
      if (confirmed >= 0 && read > confirmed && calls.find((call) => call.startsWith('ehr')) === READ)
        return undefined;
      const actual = `the calls are ${calls.join(', ')}`;
      return fault(`auth.confirm_otp, and then ${READ}`, actual, of('enters the code'));
    },
    advice: 'Ask for the record with the session of the sign-in, and for nothing before.',
  }),
  check({
    id: 'form-after-refusal',
    title: 'The form is shown after get_patient was refused for want of a session',
    requirements: ['1-form-on-refusal'],
    control: { 'reads the record': sees('patient') },
    expect: {
      'signs in': proof(whereReadRefused(sees('form')), NEEDS_FORM),
      'after not_authorized': whereReadRefused(sees('form')),
    },
    async play(world) {
      await world.askForCode();
      await world.enterCode('signs in');
      await world.mustSee('fills in the form', ['patient'], { do: 'fillForm', values: people.darya.form });
      await world.press('reads the record', 'readPatient');
      for (const reason of ['not_authorized', 'session_expired'] as const) {
        const label = `after ${reason}`;
        await world.amidAll(EHR_METHODS.read, { refuse: reason }, () => world.also(label, 'readPatient'));
        if (reason === 'session_expired') await (world as ClientWorld).wayOn(WAY_ON);
      }
    },
    unshown: ({ of }) => unrefused(of('after not_authorized')),
    advice: 'Take -33000 of get_patient for "go and authenticate", and show the form.',
  }),
  check({
    id: 'exchange-token-first',
    title: 'The client asks for an exchange token before authenticate, and tells of the link afterwards',
    requirements: [
      '1-exchange-token-requested',
      '1-auth-told-of-link',
      '1-authenticate-in-time',
      '4.3-params',
    ],
    expect: { 'fills in the form': sees('patient'), [OPENS_AGAIN]: answers, [SIGNS_IN_AGAIN]: answers },
    async play(world) {
      await world.signedIn();
      await world.fillForm('fills in the form');
      await world.settled();
      await world.press(OPENS_AGAIN, 'readPatient');
      await world.settled();
      // A sign-in with the user_sign tells of the link, too.
      await world.signedOut();
      await world.signInAgain(SIGNS_IN_AGAIN);
    },
    judge({ of, own }) {
      const filled = of('fills in the form');
      const calls = callsIn(...own());
      const actual = `the calls are ${calls.join(', ')}`;
      const [asked, made, told] = [EXCHANGE, AUTHENTICATE, REPORT].map((call) => calls.indexOf(call));
      if (asked === undefined || made === undefined || asked < 0 || made < asked)
        return fault(`${EXCHANGE}, then ${AUTHENTICATE}`, actual, filled);
      // A report that carries a user_sign must carry that of authenticate.
      const given = signGiven([filled]);
      const [report] = exchangesIn(own(), REPORT);
      const sign = userSignIn(report?.request.body);
      if (sign !== undefined && sign !== given)
        return fault('the user_sign of authenticate is reported', 'another is', filled);
      const isTold = (told ?? -1) > made || (given !== undefined && signSent(own()) === given);
      return isTold ? undefined : fault(`${REPORT} after ${AUTHENTICATE}`, actual, ...own());
    },
    advice:
      'Call auth.exchange_token, authenticate at the EHR server, and auth.report_link with its user_sign.',
  }),
];

export const expiredSessionLeadsOn: Check = checkOf('form-after-refusal', {
  id: 'expired-session-leads-on',
  title: 'After -33001 of get_patient the form or a new sign-in leads to the record',
  requirements: ['DE-client-starts-exchange'],
  control: { 'reads the record': sees('patient') },
  expect: { 'after session_expired': whereReadRefused(sees('form', 'signedOut')), [WAY_ON]: sees('patient') },
  unshown: ({ of }) => unrefused(of('after session_expired')),
  advice: 'Take -33001 of get_patient for "go and authenticate": show the form, or ask for a sign-in.',
});

export const linkReportedAtOnce: Check = checkOf('exchange-token-first', {
  id: 'link-reported-at-once',
  title: 'A link is reported by auth.report_link as soon as it is there',
  requirements: ['K-client-link-reported'],
  expect: { 'fills in the form': sees('patient') },
  judge({ all }) {
    const filled = all('fills in the form');
    const isReported = exchangesIn(filled, REPORT).some(({ facts }) => facts.reply?.result);
    return isReported
      ? undefined
      : fault('auth.report_link succeeds in the end', 'it never does', ...filled.slice(-2));
  },
  advice: 'Call auth.report_link with the user_sign of authenticate when the record is there.',
});

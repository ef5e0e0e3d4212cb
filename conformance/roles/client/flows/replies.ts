/** Checks that a client takes its own replies alone, and those of servers of other makes (§2.1, §2.6). */
import { answers, type ClientCheck, callsIn, check, each, exchangesIn, fault, sees, told } from '../check.ts';
import { people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import { oddCodes, SENT_ELSEWHERE } from '../servers/troubles.ts';
import { takenForLink } from './errors.ts';

const { darya, wilhelm } = people;
const METHODS = [
  ...['auth.request_otp', 'auth.confirm_otp', 'auth.exchange_token', 'auth.report_link', 'auth.logout'],
  ...Object.values(EHR_METHODS),
];

const withCode = <K extends (typeof oddCodes)[number]>(kind: K) => `code ${kind}` as const;
const wayOnAfter = <K extends (typeof oddCodes)[number]>(kind: K) => `the way on after code ${kind}` as const;
const goesOn = {
  ...each(oddCodes.map(withCode), answers),
  ...each(oddCodes.map(wayOnAfter), sees('patient')),
};

export const replyChecks: readonly ClientCheck[] = [
  check({
    id: 'replayed-sign-in-refused',
    title: 'The reply to the sign-in of another person, sent once more, opens no session',
    requirements: ['K-client-replies-of-own-calls'],
    expect: {
      'an earlier reply': sees('code', 'error', 'signedOut'),
      'a reply to nobody': sees('code', 'error', 'signedOut'),
      'signs in': sees('form'),
    },
    async play(world) {
      await world.linked(wilhelm);
      await world.signedOut();
      await world.askForCode();
      await world.amid('auth.confirm_otp', 'replayed', () => world.enterCode('an earlier reply'));
      await world.askForCode();
      await world.amid('auth.confirm_otp', 'null-id', () => world.enterCode('a reply to nobody'));
      await world.signInAgain('signs in');
    },
    judge({ of }) {
      const replayed = of('an earlier reply');
      const calls = callsIn(replayed).filter((call) => call.startsWith('ehr'));
      // A client that asks once more, and gets the true answer, is right.
      const again = exchangesIn([replayed], 'auth auth.confirm_otp').some(({ fault }) => fault === undefined);
      return (
        calls.length > 0 &&
        !again &&
        fault('no call with the session of that reply', calls.join(', '), replayed)
      );
    },
    advice: 'Take a reply only when its id is that of the call: a cache may send one that it has kept.',
  }),
  check({
    id: 'replies-of-other-servers',
    title: 'Replies with ids as numbers, or with further members, lead to the record',
    requirements: ['K-client-any-server'],
    expect: {
      'ids as numbers': sees('patient'),
      'further members': sees('patient'),
      'logs out': sees('signedOut'),
    },
    async play(world) {
      const kinds = [
        ['ids as numbers', 'number-id'],
        ['further members', 'more-members'],
      ] as const;
      for (const [label, kind] of kinds) {
        for (const method of METHODS) world.trouble(method, kind, 'always');
        await world.act(label, { do: 'signIn', phone: darya.signIn });
        await world.enterCode(label);
        await world.fillForm(label);
        await world.settled();
        // The last round stays signed in, for the logout below.
        if (kind === 'more-members') break;
        world.calm();
        await world.disconnectElsewhere(darya);
        await world.startOver();
      }
      await world.press('logs out', 'logout');
    },
    advice: 'Compare ids as texts, and ignore what you do not know.',
  }),
  check({
    id: 'errors-by-number-alone',
    title:
      'Errors without a reason beside their number are told, and lead to the form or to a new exchange token',
    requirements: ['K-client-any-server'],
    expect: {
      'get_patient: -33000': told('form'),
      'authenticate: -33001': told(),
      'the record again': sees('patient'),
      'authenticate: -34001': told('form', 'error'),
      'confirm_otp: a wrong code': told('code', 'error', 'signedOut'),
      'signs in at last': sees('patient', 'form'),
    },
    async play(world) {
      const bare = (
        reason: 'not_authorized' | 'exchange_token_expired' | 'patient_not_matched' | 'otp_wrong',
      ) => ({ refuse: reason, isBare: true }) as const;
      await world.linked();
      const read = () => world.press('get_patient: -33000', 'readPatient');
      await world.amidAll(EHR_METHODS.read, bare('not_authorized'), read);
      world.trouble(EHR_METHODS.authenticate, bare('exchange_token_expired'));
      await world.fillForm('authenticate: -33001');
      await world.wayOn('the record again');
      await world.formAgain();
      world.trouble(EHR_METHODS.authenticate, bare('patient_not_matched'));
      await world.fillForm('authenticate: -34001');
      await world.signedOut();
      await world.askForCode();
      world.trouble('auth.confirm_otp', bare('otp_wrong'));
      await world.enterCode('confirm_otp: a wrong code');
      world.calm();
      await world.signInAgain('signs in at last');
    },
    advice: 'Decide by the number of an error; a reason beside it may be missing, and only says more.',
  }),
  check({
    id: 'errors-without-number',
    title: 'After an error of authenticate whose code is no number the record comes',
    requirements: ['7-client-handles-errors'],
    expect: goesOn,
    async play(world) {
      await world.linked();
      for (const code of oddCodes) {
        await world.formAgain();
        const refusal = { refuse: 'patient_not_matched', isBare: true, code } as const;
        await world.amidAll(EHR_METHODS.authenticate, refusal, () => world.fillForm(withCode(code)));
        await world.wayOn(wayOnAfter(code));
      }
    },
    judge: ({ of }) => takenForLink(oddCodes.map((code) => of(withCode(code)))),
    advice: 'Take any error for a refusal, whether its code is a number, a text, null or absent.',
  }),
  check({
    id: 'no-redirect-followed',
    title: 'A call that is redirected to another address is not sent there',
    requirements: ['K-client-properties-to-ehr-alone'],
    expect: { 'the form is redirected': answers },
    async play(world) {
      await world.signedIn();
      await world.amid(EHR_METHODS.authenticate, 'redirect', () => world.fillForm('the form is redirected'));
    },
    judge: ({ of, observed }) =>
      observed(SENT_ELSEWHERE) !== undefined &&
      fault('no call to another address', 'the form is sent there', of('the form is redirected')),
    advice: 'Do not follow redirects of a call: what it carries is for the server that you know.',
  }),
];

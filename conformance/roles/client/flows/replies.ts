/** Checks that a client takes its own replies alone, and those of servers of other makes (§2.1, §2.6). */
import type { Reason } from '#protocol/wire/errors.ts';
import { type ClientFlow, callsIn, exchangesIn, fault, flow } from '../flow.ts';
import { people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import { oddCodes, SENT_ELSEWHERE } from '../servers/troubles.ts';
import { takenForLink } from './errors.ts';

const { darya, wilhelm } = people;
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
      const confirmed = exchangesIn([replayed], 'auth auth.confirm_otp');
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
      const replayed = () => world.sees(world.enterCode('an earlier reply'), ...refused);
      await world.amid('auth.confirm_otp', 'replayed', replayed);
      await world.askForCode();
      const toNobody = () => world.sees(world.enterCode('a reply to nobody'), ...refused);
      await world.amid('auth.confirm_otp', 'null-id', toNobody);
      await world.sees(world.signInAgain('signs in'), 'form');
    },
  }),
  flow('replies-of-other-servers', {
    title: 'Replies with ids as numbers, or with further members, lead to the record',
    requirements: ['K-client-any-server'],
    advice: 'Compare ids as texts, and ignore what you do not know.',
    async play(world) {
      for (const [label, kind] of OTHER_MAKES) {
        for (const method of METHODS) world.trouble(method, kind, 'always');
        await world.sees(world.act(label, { do: 'signIn', phone: darya.signIn }), 'patient');
        await world.sees(world.enterCode(label), 'patient');
        await world.sees(world.fillForm(label), 'patient');
        await world.settled();
        // The last round stays signed in, for the logout below.
        if (kind === 'more-members') break;
        world.calm();
        await world.disconnectElsewhere(darya);
        await world.startOver();
      }
      await world.sees(world.press('logs out', 'logout'), 'signedOut');
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
      await world.amidAll(EHR_METHODS.read, bare('not_authorized'), read);
      world.trouble(EHR_METHODS.authenticate, bare('exchange_token_expired'));
      await world.tells(world.fillForm('authenticate: -33001'));
      await world.sees(world.wayOn('the record again'), 'patient');
      await world.formAgain();
      world.trouble(EHR_METHODS.authenticate, bare('patient_not_matched'));
      await world.tells(world.fillForm('authenticate: -34001'), 'form', 'error');
      await world.signedOut();
      await world.askForCode();
      world.trouble('auth.confirm_otp', bare('otp_wrong'));
      await world.tells(world.enterCode('confirm_otp: a wrong code'), 'code', 'error', 'signedOut');
      world.calm();
      await world.sees(world.signInAgain('signs in at last'), 'patient', 'form');
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
        const fill = () => world.answers(world.fillForm(`code ${code}`));
        await world.amidAll(EHR_METHODS.authenticate, refusal, fill);
        await world.sees(world.wayOn(`the way on after code ${code}`), 'patient');
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
      const fill = () => world.answers(world.fillForm('the form is redirected'));
      await world.amid(EHR_METHODS.authenticate, 'redirect', fill);
    },
  }),
];

/**
 * Checks of a client that meets one trouble on the way to the record: no answer, a redirect, a failed report
 * of the link, a lost reply, a cut connection, a refusal that stays (§1, §7). In `expect`, `sees(...)` names
 * the screens to which a step may lead; `told(...)` also requires a sentence there that says what is the
 * matter, and without names it takes any screen.
 */
import {
  answers,
  type ClientCheck,
  callsIn,
  check,
  exchangesIn,
  fault,
  screenOf,
  seenValue,
  sees,
  told,
} from '../check.ts';
import { people } from '../people/people.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import { SENT_ELSEWHERE } from '../servers/troubles.ts';
import { ofNewestLink, reported } from './signs.ts';

const REPORT = 'auth.report_link';

export const singleTroubleChecks: readonly ClientCheck[] = [
  check({
    id: 'no-answer-told',
    title: 'A server that does not answer is told after a while, and the next action works',
    requirements: ['K-client-errors-told'],
    control: { 'reads the record': sees('patient') },
    expect: { 'no answer': told('error', 'signedOut', 'patient'), 'the way on': sees('patient') },
    async play(world) {
      await world.linked();
      await world.press('reads the record', 'readPatient');
      await world.amidAll(EHR_METHODS.read, 'hang', () => world.press('no answer', 'readPatient'));
      await world.wayOn('the way on');
    },
    judge({ of }) {
      // The last record may stay where a word above it says that it was not read now.
      const [usual, seen] = [of('reads the record'), of('no answer')];
      const isSame = screenOf(seen) === 'patient' && seenValue(seen, 'text') === seenValue(usual, 'text');
      return isSame && fault('a word that there is no answer', 'the record as ever', seen);
    },
    advice: 'Give every call a time after which it is told as failed.',
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
  check({
    id: 'report-made-up-for',
    title: 'A link that could not be reported is reported with the next action',
    requirements: ['K-client-report-repeated', 'K-client-replies-of-own-calls'],
    expect: {
      'the report fails': answers,
      'the next action': sees('patient'),
      'a reply of another call': answers,
      'the action after it': sees('patient'),
    },
    async play(world) {
      await world.signedIn();
      await world.amid(REPORT, 'http-500', () => world.fillForm('the report fails'), 2);
      await world.wayOn('the next action');
      await world.settled();
      await world.formAgain();
      world.trouble(REPORT, 'wrong-id');
      await world.fillForm('a reply of another call');
      await world.settled();
      world.calm();
      await world.wayOn('the action after it');
      await world.settled();
    },
    judge({ all }) {
      // Two halves with one trouble each. In each half a report must have succeeded undisturbed.
      const parts = [
        [...all('the report fails'), ...all('the next action')],
        [...all('a reply of another call'), ...all('the action after it')],
      ];
      const unreported = parts.find(
        (steps) =>
          !exchangesIn(steps, `auth ${REPORT}`).some(
            ({ facts, fault }) => facts.reply?.result && fault === undefined,
          ),
      );
      if (!unreported) return undefined;
      return fault(`${REPORT} succeeds in the end`, 'it never does', ...unreported.slice(-2));
    },
    advice: 'Remember that the link is not reported, and report it until that has worked.',
  }),
  check({
    id: 'refused-report-keeps-sign',
    title: 'A user_sign whose report is refused goes along with the next sign-in all the same',
    requirements: ['K-client-sign-kept'],
    ofKeptSign: true,
    expect: { 'signs in again': sees('patient') },
    async play(world) {
      await world.signedIn();
      world.trouble(REPORT, { refuse: 'internal_error' }, 'always');
      await world.mustSee('fills in the form', ['patient', 'error'], {
        do: 'fillForm',
        values: people.darya.form,
      });
      await world.settled();
      await world.signedOut();
      world.calm();
      await world.signInAgain('signs in again');
    },
    judge: ofNewestLink('signs in again'),
    advice: 'A report that is refused ends no link: keep the user_sign until the link is over.',
  }),
  check({
    id: 'link-reported-after-lost-reply',
    title: 'A link whose reply was lost is reported as soon as the record shows it',
    requirements: ['K-client-report-repeated'],
    expect: { 'the reply is lost': answers, 'the way on': sees('patient') },
    async play(world) {
      await world.signedIn();
      await world.amid(EHR_METHODS.authenticate, 'reply-lost', () => world.fillForm('the reply is lost'));
      await world.wayOn('the way on');
      await world.settled();
    },
    judge: reported,
    advice: 'After an authenticate without an answer, report the user_sign that get_patient shows.',
  }),
  check({
    id: 'hiccup-keeps-session',
    title: 'One failed connection does not end the session of the person',
    requirements: ['K-client-errors-told'],
    expect: { 'a cut connection': told('error', 'patient'), 'reads again': sees('patient') },
    async play(world) {
      await world.linked();
      await world.amid(EHR_METHODS.read, 'reset', () => world.press('a cut connection', 'readPatient'));
      await world.press('reads again', 'readPatient');
    },
    judge({ of }) {
      const steps = [of('a cut connection'), of('reads again')];
      // The report of the link may still be under way.
      const again = callsIn(...steps).find(
        (call) => call.startsWith('auth') && call !== 'auth auth.report_link',
      );
      return again !== undefined && fault('the session goes on', `${again} is called`, ...steps);
    },
    advice: 'Keep session and signature when a server is not reached; only its refusal ends them.',
  }),
  check({
    id: 'no-endless-exchange',
    title: 'A record that stays refused is told, and asked for a few times at most',
    requirements: ['K-client-bounded'],
    expect: {
      'stays refused': told('form', 'error', 'signedOut', 'patient'),
      'reads in vain': told('form', 'error', 'signedOut'),
    },
    async play(world) {
      await world.signedIn();
      world.trouble(EHR_METHODS.read, { refuse: 'not_authorized' }, MAX_REFUSALS);
      await world.fillForm('stays refused');
      await world.press('reads in vain', 'readPatient');
    },
    judge({ of }) {
      const steps = [of('stays refused'), of('reads in vain')];
      const calls = callsIn(...steps).length;
      return calls > MAX_CALLS && fault(`${MAX_CALLS} calls at most`, `${calls} calls`, ...steps);
    },
    advice: 'After one exchange tell the person; do not ask again without them.',
  }),
];

/** How many calls are refused: more than a client that never stops makes before the step's timeout. */
const MAX_REFUSALS = 1_000;
/** Twice what a right client calls for the two actions. */
const MAX_CALLS = 10;

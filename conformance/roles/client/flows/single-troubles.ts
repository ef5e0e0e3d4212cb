/**
 * Checks of a client that meets one trouble on the way to the record: no answer, a redirect, a failed report
 * of the link (§1, §7). In `expect`, `sees(...)` names
 * the screens to which a step may lead; `told(...)` also requires a sentence there that says what is the
 * matter, and without names it takes any screen.
 */
import {
  answers,
  type ClientCheck,
  check,
  exchangesIn,
  fault,
  screenOf,
  seenValue,
  sees,
  told,
} from '../check.ts';
import { EHR_METHODS } from '../servers/calls.ts';
import { SENT_ELSEWHERE } from '../servers/troubles.ts';

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
];

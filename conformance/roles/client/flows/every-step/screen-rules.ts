/** Rules of what a screen, its storage and its log show after each step. */
import type { Check } from '../../../../engine/check/check.ts';
import { endIn, isBlank } from '../../../../engine/journal/played-steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { KEPT, keptBeside } from '../../people/values-of-seen.ts';
import { isOfAnotherCall } from './action-rules.ts';
import { before, stepRule } from './rule.ts';

/** Scenarios that together have many kinds of screens. */
const MANY_SCREENS = ['form-after-refusal', 'signs-of-each-person', 'logout-forgets'] as const;

/** What the kit noted of the screen after a step. A value is absent where there was nothing to note. */
type ScreenValues = {
  sees?: string;
  /** Whether the servers had given out a secret. */
  handed?: string;
  /** These must not be on a screen: a secret, a text of a program, a member with another value. */
  secret?: string;
  raw?: string;
  altered?: string;
  /** Whether a record is shown, whose it is, and whose the EHR server gave last. */
  hasRecord?: string;
  record?: string;
  served?: string;
  /** Fields and title, the storage and the log still have these values of session and patient. */
  beside?: string;
  kept?: string;
  logged?: string;
};

const valuesOf = ({ result }: PlayedStep): ScreenValues => (result.kind === 'done' ? result.values : {});

export const screenRules: readonly Check[] = [
  stepRule('client-keeps-running', {
    title: 'The client keeps running, whatever a server answers',
    requirements: ['K-client-survives'],
    scenarios: ['errors-without-number', 'trouble-at-get-patient', ...MANY_SCREENS],
    of: (step) => step.exchanges.length > 0 || step.result.kind === 'failed' || isBlank(step),
    wrong(step, journal) {
      const earlier = before(step, journal);
      if (!endIn([...earlier, step]) || endIn(earlier)) return undefined;
      return step.result.kind === 'failed'
        ? step.result.detail
        : 'whatever the person does, the screen is empty';
    },
    expected: 'a screen after each action',
    advice: 'Find in what it wrote last why it ended, and take such an answer for an error that is told.',
  }),
  stepRule('no-secrets-on-screens', {
    title: 'No screen shows a session token, an exchange token or a user_sign',
    requirements: ['K-client-secrets-unseen'],
    scenarios: MANY_SCREENS,
    of: (step) => valuesOf(step).handed !== undefined,
    wrong: (step) => valuesOf(step).secret && `the screen shows ${valuesOf(step).secret}`,
    expected: 'screens without any secret',
    advice:
      'A person needs no token: who looks over the shoulder, or gets a picture of the screen, could use it.',
  }),
  stepRule('no-texts-of-programs-on-screens', {
    title: 'No screen shows the JSON of a reply, a stack, or the number or name of an error',
    requirements: ['K-client-errors-told'],
    scenarios: ['errors-of-authenticate-told', ...MANY_SCREENS],
    of: (step) => valuesOf(step).sees !== undefined && step.exchanges.length > 0,
    wrong: (step) => valuesOf(step).raw && `the screen shows ${valuesOf(step).raw}`,
    expected: 'words for a person alone',
    advice: 'Write what programs say into a log, and tell the person what has happened and what to do.',
  }),
  stepRule('record-shown-is-served', {
    title:
      'A record is on the screen only while the EHR server gives it to the session, and it is that record',
    requirements: ['K-client-shows-what-is-served'],
    scenarios: ['disconnected-elsewhere', 'disconnect-forgets', ...MANY_SCREENS],
    // The other tab may still show an old record. Its next action is judged.
    of: (step) => valuesOf(step).hasRecord !== undefined && step.step.step !== 'otherTab',
    wrong(step) {
      const { record, served } = valuesOf(step);
      if (step.exchanges.some(isOfAnotherCall)) return undefined;
      if (served === undefined)
        return 'a record is shown that the EHR server has not given, or does not give any more';
      return record === undefined || record === served ? undefined : 'the record of another person is shown';
    },
    expected: 'the record that the EHR server gave last to the session of now, and none after its refusal',
    advice:
      'Show what get_patient or authenticate has just given; remove it at a refusal and when the session ends.',
  }),
  stepRule('signed-out-keeps-nothing', {
    title: 'After each ending no field, title or storage has anything of session and patient',
    requirements: ['K-client-forgets'],
    scenarios: ['logout-ehr-first', 'deletion-ehr-first', 'former-session-ended', ...MANY_SCREENS],
    of: (step) => valuesOf(step).handed !== undefined && valuesOf(step).sees === 'signedOut',
    wrong(step, journal) {
      const { beside, kept } = valuesOf(step);
      if (!isEndedByAuth([...before(step, journal), step])) return undefined;
      const [field, stored] = [leftIn(beside), leftIn(kept)];
      if (field !== undefined) return `a field or the title has ${field}`;
      return stored === undefined ? undefined : `kept is ${stored}`;
    },
    expected: 'fields, title and storage without tokens and without data of the patient',
    advice: 'Empty the form, the title and the storage in the same turn in which the screen changes.',
  }),
  stepRule('no-secrets-in-logs', {
    title:
      'Standard error, and the console of a page, have no token, no user_sign and no data of the patient',
    requirements: ['K-client-logs-no-secrets'],
    scenarios: ['errors-of-authenticate-told', ...MANY_SCREENS],
    of: (step) => valuesOf(step).handed !== undefined && valuesOf(step).logged !== undefined,
    wrong: (step) => (valuesOf(step).logged ? `the log has ${valuesOf(step).logged}` : undefined),
    expected: 'a log without secrets and without data of the patient',
    advice: 'Log what happened and the number of the error; logs are read by others, and kept.',
  }),
  stepRule('record-values-as-served', {
    title: 'What is shown of a record has the values that the EHR server gave',
    requirements: ['K-client-shows-what-is-served'],
    scenarios: ['record-not-as-typed', 'odd-records-shown', ...MANY_SCREENS],
    of: (step) => valuesOf(step).served !== undefined,
    wrong: (step) => valuesOf(step).altered && `the member ${valuesOf(step).altered} has another value`,
    expected: 'each member that is shown as it came',
    advice:
      'Show the values of the reply alone: a date of birth is a day and has no time zone, null is empty, and a number beyond 2^53 has digits that a double loses.',
  }),
];

const leftIn = (names: string | undefined) => keptBeside(names, [KEPT.sign])[0];
const AUTH_ENDINGS = new Set(['auth.logout', 'auth.delete_user']);

/** Whether the authorization server has ended the session of the last sign-in in these steps. */
function isEndedByAuth(steps: readonly PlayedStep[]): boolean {
  const done = steps
    .flatMap(({ exchanges }) => exchanges)
    .filter(({ facts }) => facts.reply?.result === true);
  const last = done.findLast(
    ({ facts }) => AUTH_ENDINGS.has(facts.call?.method ?? '') || facts.call?.method === 'auth.confirm_otp',
  );
  return last !== undefined && last.fault === undefined && AUTH_ENDINGS.has(last.facts.call?.method ?? '');
}

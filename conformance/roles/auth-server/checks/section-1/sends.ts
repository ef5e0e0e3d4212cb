/** How many messages a phone can be made to receive (§1 rule 8): they cost money and disturb people. */

import { type Check, check } from '../../../../engine/check/check.ts';
import { fail, inconclusive, notApplicable, notRun, pass } from '../../../../engine/check/judging.ts';
import { observed } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { flood, otherSpelling, pauses } from '../../flows/codes/sends.ts';
import { claimedAddresses } from '../../flows/requests/odd-requests.ts';
import type { Label } from '../../flows/scenario.ts';

const { steps } = pauses;

/** Requests further apart than this (ms) show nothing about a pause. */
const MAX_APART_MS = 10_000;

const PAUSE_ADVICE =
  'Keep the time of the last code by phone, and send no other within half a minute or so. Where only the test system has no pause, judge it with the pause of production.';

/** The count at a step; undefined when the step was not reached. */
function messagesAt(journal: JournalView, label: Label, name = 'messages'): number | undefined {
  const value = journal.observations(label)[0]?.values[name];
  return typeof value === 'number' ? value : undefined;
}

type TooSoon = {
  /** The earlier step, which brought a message. */
  before: Label;
  again: Label;
  /** A later request, which must have brought a message. */
  control: (journal: JournalView) => Finding | undefined;
  actual: string;
  advice: string;
};

/** Requires that the second of two requests brings no message. */
function noMessage(journal: JournalView, { before, again, control, actual, advice }: TooSoon): Finding {
  const [earlier, later] = [journal.step(before), journal.step(again)];
  const messages = messagesAt(journal, again);
  if (!earlier || !later || messages === undefined) return notRun(journal, again);
  const evidence = [...earlier.evidence, ...later.evidence];
  if (earlier.result.kind !== 'done') return inconclusive('no code could be requested', evidence);
  const apart = later.endedAt - (earlier.endedAt - earlier.took);
  // The pause that the adapter file states, in seconds. Without one, a time that every pause exceeds.
  const pause = messagesAt(journal, again, 'pause');
  if (messages > 0 && apart >= (pause === undefined ? MAX_APART_MS : Math.min(pause * 1_000, MAX_APART_MS)))
    return inconclusive(`the two requests lie ${apart} ms apart, so they tell nothing of a pause`, evidence);
  if (messages > 0)
    return fail({ expected: 'no other message so soon', actual, evidence, advice, timeSensitive: true });
  return control(journal) ?? pass(evidence);
}

/** Without a pause there is none to reset. */
function unlessNoPause(journal: JournalView, finding: Finding): Finding {
  return (messagesAt(journal, steps.again) ?? 0) > 0
    ? notApplicable('there is no pause between codes that could be reset')
    : finding;
}

const afterPause = (journal: JournalView): Finding | undefined => {
  const control = journal.step(steps.afterPause);
  if (!control) return notRun(journal, steps.afterPause);
  return control.result.kind === 'done'
    ? undefined
    : inconclusive('no code came after the pause either', control.evidence);
};

type ResetCheck = Pick<Check, 'id' | 'title'> & { before: Label; again: Label; what: string; advice: string };

function resetCheck({ before, again, what, advice, ...about }: ResetCheck): Check {
  return check({
    ...about,
    level: 'SHOULD',
    requirements: ['K-code-pause'],
    scenarios: [pauses],
    judge: (journal) =>
      unlessNoPause(
        journal,
        noMessage(journal, {
          before,
          again,
          control: afterPause,
          actual: `right after ${what} another message was sent to the phone`,
          advice,
        }),
      ),
    red: observed(again, { messages: 1 }),
  });
}

export const sendChecks: readonly Check[] = [
  check({
    id: 'pause-between-codes',
    title: 'A phone that was sent a code a moment ago is not sent another',
    level: 'SHOULD',
    requirements: ['K-code-pause'],
    scenarios: [pauses],
    judge: (journal) =>
      noMessage(journal, {
        before: steps.first,
        again: steps.again,
        control: afterPause,
        actual: 'the phone was sent a second message at once',
        advice: PAUSE_ADVICE,
      }),
  }),
  resetCheck({
    id: 'pause-survives-sign-in',
    title: 'A sign-in does not reset the pause between codes',
    before: steps.afterPause,
    again: steps.afterSignIn,
    what: 'a sign-in',
    advice: 'Keep when and how often codes were sent to a phone apart from the code itself, which a sign-in uses up.',
  }),
  resetCheck({
    id: 'pause-survives-deletion',
    title: 'A deletion does not reset the pause between codes',
    before: steps.nextFirst,
    again: steps.afterDeletion,
    what: 'the deletion of the user',
    advice: 'Keep when and how often codes were sent to a phone for a day, whether or not it is still a user.',
  }),
  check({
    id: 'pause-for-every-spelling',
    title: 'The pause between codes holds for a phone in every spelling',
    level: 'SHOULD',
    requirements: ['K-code-pause'],
    scenarios: [pauses, otherSpelling],
    judge: (journal) =>
      unlessNoPause(
        journal,
        noMessage(journal, {
          before: otherSpelling.steps.first,
          again: otherSpelling.steps.otherSpelling,
          // A server that refuses another spelling rightly sends nothing there.
          control: () => undefined,
          actual: 'with blanks and dashes in the phone another message was sent to it at once',
          advice: 'Bring the phone into one form, digits alone, before anything is counted, stored or compared by it.',
        }),
      ),
  }),
  check({
    id: 'pause-for-every-address',
    title: 'The pause between codes holds whatever address the client claims to have',
    level: 'SHOULD',
    requirements: ['K-code-pause'],
    scenarios: [pauses, claimedAddresses],
    judge: (journal) =>
      unlessNoPause(
        journal,
        noMessage(journal, {
          before: claimedAddresses.steps.requests,
          again: claimedAddresses.steps.again,
          control: afterPause,
          actual: 'with another X-Forwarded-For another message was sent to the phone at once',
          advice:
            'Keep the time of the last code by phone alone. Take an address from X-Forwarded-For only where a proxy of your own has set it.',
        }),
      ),
  }),
  check({
    id: 'messages-capped',
    title: 'One phone is sent a limited number of messages',
    level: 'SHOULD',
    requirements: ['K-code-cap'],
    scenarios: [flood],
    judge(journal) {
      const messages = messagesAt(journal, flood.steps.request);
      const requests = messagesAt(journal, flood.steps.request, 'requests');
      const others = messagesAt(journal, flood.steps.other);
      if (messages === undefined || requests === undefined || others === undefined)
        return notRun(journal, flood.steps.request);
      const asked = journal.steps(flood.steps.request);
      const evidence = [...(asked[0]?.evidence ?? []), ...(asked.at(-1)?.evidence ?? [])];
      if (messages >= requests)
        return fail({
          expected: 'an end to the messages long before',
          actual: `${requests} requests brought ${messages} messages to one phone`,
          evidence,
          advice:
            'Count the codes that were sent to a phone in a day, in any spelling of it, and send no more than ten or twenty.',
        });
      if (messages === 0 || asked[0]?.result.kind !== 'done')
        return inconclusive('not one of many requests brought a message', evidence);
      if (others === 0)
        return inconclusive(
          'afterwards no message came to another phone either: the limit may be one of addresses. Please state otp.perMinute.',
          evidence,
        );
      return pass(evidence);
    },
  }),
];

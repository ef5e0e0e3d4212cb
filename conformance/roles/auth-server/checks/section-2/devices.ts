/** Several sessions of one user, and phones that others tried to enter (§2.3, §4.5, §4.6, §1 rule 8). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { fail, inconclusive, notApplicable, notRun, pass, refusedStep } from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { lockedPhone, twoSessions } from '../../flows/codes/devices.ts';
import { crowd, firstLink, manyTokens } from '../../flows/links/linking.ts';
import type { Label } from '../../flows/scenario.ts';
import { exchangeTokenTrouble } from '../../flows/trouble/ehr-trouble.ts';
import { duplicateToken } from '../../flows/trouble/odd-replies.ts';
import { judgeTokenSaves } from '../token-saves.ts';

const { steps } = twoSessions;

/** Requires that a session goes on after an event on another device. */
export function goesOn(journal: JournalView, { control, event, attempt, actual, advice }: Ongoing): Finding {
  const [before, done, after] = [journal.step(control), journal.step(event), journal.step(attempt)];
  if (!before || !done || !after) return notRun(journal, attempt);
  if (before.result.kind !== 'done')
    return inconclusive(`the session had no exchange token before (${describe(before.result)})`, before.evidence);
  if (done.result.kind !== 'done')
    return inconclusive(`"${event.label}" did not succeed (${describe(done.result)})`, done.evidence);
  const evidence = [...before.evidence, ...done.evidence, ...after.evidence];
  if (after.result.kind === 'done') return pass(evidence);
  return fail({
    expected: 'the session of the other device goes on',
    actual: `${actual} (${describe(after.result)})`,
    evidence,
    advice,
    timeSensitive: after.result.kind !== 'refused',
  });
}

type Ongoing = { control: Label; event: Label; attempt: Label; actual: string; advice: string };

export const deviceChecks: readonly Check[] = [
  check({
    id: 'second-sign-in-leaves-first',
    title: 'A sign-in on another device leaves the session of the first one',
    level: 'SHOULD',
    requirements: ['K-several-devices'],
    scenarios: [twoSessions],
    judge: (journal) =>
      goesOn(journal, {
        control: steps.phoneAfterRequest,
        event: steps.laptop,
        attempt: steps.phoneBeside,
        actual: 'the sign-in on the laptop ended the session on the phone',
        advice: 'Keep sessions by their token, not one for each user.',
      }),
  }),
  check({
    id: 'logout-leaves-other-devices',
    title: 'A logout ends the session that asks for it, and no other',
    level: 'SHOULD',
    requirements: ['K-several-devices'],
    scenarios: [twoSessions],
    judge: (journal) =>
      journal.ending(twoSessions.id) && journal.step(steps.laptopBeside) && journal.allSteps('logout').length === 0
        ? notApplicable('the adapter declares that the server has no logout')
        : goesOn(journal, {
            control: journal.step(steps.phoneAfterGuess) ? steps.phoneAfterGuess : steps.phoneBeside,
            event: steps.logout,
            attempt: steps.phoneAfter,
            actual: 'the logout on the laptop ended the session on the phone',
            advice: 'End the session by its token, not by its user.',
          }),
  }),
  check({
    id: 'session-after-logout-is-new',
    title: 'A sign-in after a logout opens a session with a token of its own, which works',
    requirements: ['2.3-token-unique', 'K-session-ends'],
    scenarios: [twoSessions],
    judge(journal) {
      const [first, again, token] = [
        journal.step(steps.laptop),
        journal.step(steps.again),
        journal.step(steps.againToken),
      ];
      if (!first || !again || !token)
        return journal.step(steps.laptopBeside) && journal.allSteps('logout').length === 0
          ? notApplicable('the adapter declares that the server has no logout')
          : notRun(journal, steps.again);
      const evidence = [...first.evidence, ...again.evidence, ...token.evidence];
      const tokens = [first, again].map(({ result }) => (result.kind === 'done' ? result.values.token : undefined));
      const advice = 'Draw a fresh random token at every sign-in, and keep no token that was given out.';
      if (tokens[0] !== undefined && tokens[0] === tokens[1])
        return fail({
          expected: 'a token that was never given before',
          actual: 'the token of the ended session was given again',
          evidence,
          advice,
        });
      if (token.result.kind === 'done') return pass(evidence);
      return fail({
        expected: 'the new session gets an exchange token',
        actual: describe(token.result),
        evidence,
        advice,
        timeSensitive: true,
      });
    },
  }),
  check({
    id: 'deletion-ends-all-sessions',
    title: 'A deletion ends the sessions of the user on all devices',
    requirements: ['K-session-ends', 'DA-delete-user'],
    scenarios: [twoSessions],
    judge(journal) {
      const control = journal.step(steps.againToken) ? steps.againToken : steps.laptopBeside;
      if (journal.step(control) && journal.allSteps('deleteUser').length === 0)
        return notApplicable('the adapter declares that the server has no deleteUser');
      return refusedStep(journal, {
        control,
        attempt: steps.afterDeletion,
        expected: 'the session of the other device is refused',
        advice: 'Delete all sessions of the user with the user.',
        nothingSent: true,
      });
    },
  }),
  check({
    id: 'token-not-saved-for-two',
    title: 'A token is saved at the EHR server for one session alone, and one that is taken is not tried again',
    requirements: ['2.3-token-unique', '4.2-asking-session'],
    scenarios: [firstLink, manyTokens, crowd, twoSessions, exchangeTokenTrouble, duplicateToken],
    watchable: true,
    judge: judgeTokenSaves,
  }),
  check({
    id: 'phone-not-locked-for-good',
    title: "A stranger's wrong codes keep a phone's owner out no longer than a code lives",
    level: 'SHOULD',
    requirements: ['K-lock-ends'],
    scenarios: [lockedPhone],
    judge(journal) {
      const guesses = journal.steps(lockedPhone.steps.guess('Max'));
      const owner = journal.step(lockedPhone.steps.owner('Max'));
      if (!owner)
        return journal.ending(lockedPhone.id)?.stopped
          ? stoppedLock(journal)
          : notRun(journal, lockedPhone.steps.owner('Max'));
      const evidence = [...(guesses[0]?.evidence ?? []), ...owner.evidence];
      if (owner.result.kind === 'done') return pass(evidence);
      return fail({
        expected: 'the owner signs in with a code of their own, after the life of the one that was guessed at',
        actual: `after ${guesses.length} wrong codes of a stranger: ${describe(owner.result)}`,
        evidence,
        advice: LOCK_ADVICE,
        timeSensitive: true,
      });
    },
  }),
  check({
    id: 'lock-not-prolonged',
    title: 'A further wrong code does not prolong the lock of a phone',
    level: 'SHOULD',
    requirements: ['K-lock-ends'],
    scenarios: [lockedPhone],
    judge(journal) {
      const once = journal.step(lockedPhone.steps.owner('Max'));
      const again = journal.step(lockedPhone.steps.owner('Nele'));
      if (!once || !again) return notRun(journal, lockedPhone.steps.owner('Nele'));
      const evidence = [...once.evidence, ...(journal.step(lockedPhone.steps.drip)?.evidence ?? []), ...again.evidence];
      if (once.result.kind !== 'done')
        return inconclusive(
          `without the further wrong code the phone is locked as well (${describe(once.result)})`,
          evidence,
        );
      if (again.result.kind === 'done') return pass(evidence);
      return fail({
        expected: 'the owner signs in, as the other one did whose phone was tried only at the beginning',
        actual: describe(again.result),
        evidence,
        advice: LOCK_ADVICE,
        timeSensitive: true,
      });
    },
  }),
];

const LOCK_ADVICE =
  'Let wrong tries spoil the code they are tried against, not the phone: a code that is sent again begins with no wrong tries.';

/** Explains a lock: no code could be requested for a phone that was tried. */
function stoppedLock(journal: JournalView): Finding {
  const code = journal.step({
    ...lockedPhone.steps.owner('Max'),
    label: `${lockedPhone.steps.owner('Max').label}: request a code`,
  });
  if (code?.result.kind !== 'refused') return notRun(journal, lockedPhone.steps.owner('Max'));
  return fail({
    expected: 'the owner is sent a code, after the life of the one that was guessed at',
    actual: describe(code.result),
    evidence: code.evidence,
    advice: LOCK_ADVICE,
    timeSensitive: true,
  });
}

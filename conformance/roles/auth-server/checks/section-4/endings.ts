/** The end of sessions and users, and users without a correspondence entry (§1 rule 6, §4.5, §4.6, §7). */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  carriedSession,
  doneStep,
  fail,
  inconclusive,
  notRun,
  pass,
  refusedStep,
  SAVE_AUTH_INFO,
  sentTo,
} from '../../../../engine/check/judging.ts';
import { relabelled, succeeds } from '../../../../engine/check/red-change.ts';
import { type Label, part } from '../../flows/scenario.ts';
import { correspondence, deletion, logout } from '../../flows/sessions/sessions.ts';
import { saysLinked } from '../signed-in.ts';

type Ended = Pick<Check, 'id' | 'title'> & { of: { id: string }; control: Label; attempt: Label };

/** Makes a check that an ended session opens nothing. */
function endedCheck({ of, control, attempt, ...about }: Ended): Check {
  return check({
    ...about,
    requirements: ['K-session-ends'],
    scenarios: [of],
    judge: (journal) =>
      refusedStep(journal, {
        control,
        attempt,
        expected: 'the ended session is refused',
        advice: 'End the session where it is verified, before the client is told that it has ended.',
        nothingSent: true,
      }),
    red: succeeds(attempt),
  });
}

const reportedAnew = part(deletion.steps.linkAnew, 'report');

export const endingChecks: readonly Check[] = [
  endedCheck({
    id: 'logged-out-session-refused',
    title: 'After the logout the session gets no exchange token',
    of: logout,
    control: logout.steps.before,
    attempt: logout.steps.after,
  }),
  check({
    id: 'logout-opens-no-session',
    title: 'The answer to a logout carries no other session',
    level: 'SHOULD',
    requirements: ['K-session-ends'],
    scenarios: [logout],
    judge(journal) {
      const ended = journal.step(logout.steps.logout);
      if (!ended) return notRun(journal, logout.steps.logout);
      if (ended.result.kind !== 'done') return inconclusive('nobody could be logged out', ended.evidence);
      const failure = {
        expected: 'the session ends, and the answer carries nothing that serves as a session',
        actual: 'an exchange token was given for a value that the answer to the logout carried',
        evidence: ended.evidence,
        advice: 'Answer a logout without any session: users sign in again when they wish to.',
      };
      return carriedSession(journal, logout.steps, failure) ?? pass(ended.evidence);
    },
    red: (journal) => {
      relabelled(logout.steps.after, logout.steps.carried)(journal);
      relabelled(logout.steps.report, logout.steps.inventedInstead)(journal);
      succeeds(logout.steps.carried)(journal);
    },
  }),
  endedCheck({
    id: 'logged-out-session-not-saved',
    title: 'After the logout no session is saved for it',
    of: logout,
    control: part(logout.steps.link, 'report'),
    attempt: logout.steps.report,
  }),
  endedCheck({
    id: 'deleted-session-refused',
    title: 'After the deletion the session gets no exchange token',
    of: deletion,
    control: deletion.steps.before,
    attempt: deletion.steps.after,
  }),
  check({
    id: 'deleted-user-forgotten',
    title: 'A user who was deleted signs in as new: no earlier user_sign is used',
    requirements: ['DA-delete-user', 'K-session-ends'],
    scenarios: [deletion],
    judge(journal) {
      const played = journal.step(deletion.steps.anew);
      if (!played) return notRun(journal, deletion.steps.anew);
      const saves = sentTo(played, SAVE_AUTH_INFO);
      if (saves.length === 0 && played.result.kind === 'done') return pass(played.evidence);
      return fail({
        expected: 'a sign-in without save_auth_info',
        actual: saves.length > 0 ? 'save_auth_info was sent with a user_sign of before' : 'the sign-in did not succeed',
        evidence: played.evidence,
        advice: "Delete the user_sign with the rest of the user's data.",
        timeSensitive: saves.length === 0,
      });
    },
  }),
  check({
    id: 'deleted-user-links-anew',
    title: 'A user who was deleted can sign in and link again',
    requirements: ['1-exchange-token-to-client', 'DA-delete-user'],
    scenarios: [deletion],
    judge: (journal) =>
      doneStep(journal, journal.step(reportedAnew) ? reportedAnew : part(deletion.steps.linkAnew, 'authenticate'), {
        expected: 'the new link succeeds',
        advice: 'Treat a deleted user like one who was never there.',
      }),
  }),
  check({
    id: 'missing-correspondence-told',
    title: 'A user without an entry in the correspondence table is an error to the client, and nothing is saved',
    requirements: ['1-no-correspondence-error', '1-internal-id-looked-up', 'D18-missing-entry-names-itself'],
    scenarios: [correspondence],
    judge(journal) {
      const { olaLinks, olaReturns, report, returns } = correspondence.steps;
      // Where no link is reported, the session is recorded at the sign-in that brings the signature.
      const returned = journal.step(returns);
      const isUnlinked =
        returned?.result.kind === 'done' && sentTo(returned, SAVE_AUTH_INFO).length === 0 && !saysLinked(returned);
      if (isUnlinked) return pass(returned.evidence);
      return refusedStep(journal, {
        control: returned ? olaReturns : part(olaLinks, 'report'),
        attempt: returned ? returns : report,
        expected: 'an error that says so',
        advice: 'Look the internal user id up before save_auth_info is sent; when there is none, answer with an error.',
        nothingSent: true,
      });
    },
  }),
];

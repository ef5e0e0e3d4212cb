/** Exchange tokens only for the holder of a live session, and the end of sessions (§1 rule 4, §4.5, §4.6, §7). */
import type { Check } from './check.ts';
import { doneStep, failed, refusedStep, SAVE_AUTH_INFO, sentTo, unplayed } from './judging.ts';

function sessionCheck(id: string, title: string, attempt: string): Check {
  return {
    id,
    title,
    level: 'MUST',
    requirements: ['K-session-required', '1-sign-in-comes-first'],
    scenarios: ['wrong-sessions'],
    watchable: false,
    judge: (journal) =>
      refusedStep(journal, {
        scenario: 'wrong-sessions',
        control: 'with the right session again',
        attempt,
        expected: 'the request is refused',
        advice: 'Verify user and token together against a live session before anything is sent to the EHR server.',
        nothingSent: true,
      }),
  };
}

function endedCheck(
  id: string,
  title: string,
  scenario: 'logout' | 'deletion',
  control: string,
  attempt: string,
): Check {
  return {
    id,
    title,
    level: 'MUST',
    requirements: ['K-session-ends'],
    scenarios: [scenario],
    watchable: false,
    judge: (journal) =>
      refusedStep(journal, {
        scenario,
        control,
        attempt,
        expected: 'the ended session is refused',
        advice: 'End the session where it is verified, before the client is told that it has ended.',
        nothingSent: true,
      }),
  };
}

export const sessionChecks: readonly Check[] = [
  sessionCheck('exchange-token-needs-session', 'No exchange token is given without a session', 'without a session'),
  sessionCheck(
    'invented-session-refused',
    'No exchange token is given for an invented token',
    'with an invented token',
  ),
  sessionCheck(
    'mixed-session-refused',
    'No exchange token is given for the user of one session with the token of another',
    "with another user's token",
  ),
  endedCheck(
    'logged-out-session-refused',
    'After the logout the session gets no exchange token',
    'logout',
    'before the logout',
    'after the logout',
  ),
  endedCheck(
    'logged-out-session-not-saved',
    'After the logout no session is saved for it',
    'logout',
    'link: report',
    'report after the logout',
  ),
  endedCheck(
    'deleted-session-refused',
    'After the deletion the session gets no exchange token',
    'deletion',
    'before the deletion',
    'after the deletion',
  ),
  {
    id: 'deleted-user-forgotten',
    title: 'A user who was deleted signs in as new: no earlier user_sign is used',
    level: 'MUST',
    requirements: ['DA-delete-user', 'K-session-ends'],
    scenarios: ['deletion'],
    watchable: false,
    judge(journal) {
      const played = journal.step('deletion', 'sign in anew');
      if (!played) return unplayed(journal, 'deletion');
      const saves = sentTo(played, SAVE_AUTH_INFO);
      if (saves.length === 0 && played.result.kind === 'done') return { outcome: 'pass', evidence: played.evidence };
      return failed(
        'a sign-in without save_auth_info',
        saves.length > 0 ? 'save_auth_info was sent with a user_sign of before' : 'the sign-in did not succeed',
        played.evidence,
        "Delete the user_sign with the rest of the user's data.",
      );
    },
  },
  {
    id: 'deleted-user-links-anew',
    title: 'A user who was deleted can sign in and link again',
    level: 'MUST',
    requirements: ['1-exchange-token-to-client', 'DA-delete-user'],
    scenarios: ['deletion'],
    watchable: false,
    judge: (journal) => {
      const last = journal.step('deletion', 'link anew: report') ? 'link anew: report' : 'link anew: authenticate';
      return doneStep(
        journal,
        'deletion',
        last,
        'the new link succeeds',
        'Treat a deleted user like one who was never there.',
      );
    },
  },
  {
    id: 'missing-correspondence-told',
    title: 'A user without an entry in the correspondence table is an error to the client, and nothing is saved',
    level: 'MUST',
    requirements: ['1-no-correspondence-error', '1-internal-id-looked-up', 'D18-missing-entry-names-itself'],
    scenarios: ['correspondence'],
    watchable: false,
    judge: (journal) =>
      refusedStep(journal, {
        scenario: 'correspondence',
        control: 'Ola links: report',
        attempt: 'report without an entry',
        expected: 'an error that says so',
        advice: 'Look the internal user id up before save_auth_info is sent; when there is none, answer with an error.',
        nothingSent: true,
      }),
  },
];

/** A logout and a deletion end what they are for, and nothing of anybody else (§4.5, §4.6, §1 rule 8). */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  fail,
  inconclusive,
  notApplicable,
  notRun,
  pass,
  SAVE_AUTH_INFO,
  sentTo,
} from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { manyTokens } from '../../flows/links/linking.ts';
import type { Label } from '../../flows/scenario.ts';
import { othersSessions } from '../../flows/sessions/others-sessions.ts';
import { deletion } from '../../flows/sessions/sessions.ts';
import { whoseSession } from '../../flows/sessions/whose-session.ts';

const { steps } = othersSessions;
const { olderLogsOut, newestAfter } = manyTokens.steps;

type Neighbour = { ending: Label; before: Label; after: Label; actual: string };

/** Requires that a session goes on after somebody else's ending. */
function judgeNeighbour(journal: JournalView, { ending, before, after, actual }: Neighbour): Finding {
  const [ended, lived, played] = [journal.step(ending), journal.step(before), journal.step(after)];
  if (!ended || !lived || !played) return notRun(journal, ending);
  const evidence = [...ended.evidence, ...played.evidence];
  // An earlier attempt in another's name may rightly have ended the session of this one.
  if (ended.result.kind === 'refused') return notApplicable('the other user had no session any more');
  if (ended.result.kind !== 'done') return inconclusive(`it did not succeed (${describe(ended.result)})`, evidence);
  if (lived.result.kind !== 'done') return inconclusive('the session gave no exchange token before either', evidence);
  if (played.result.kind === 'done') return pass(evidence);
  if (played.result.kind !== 'refused') return inconclusive(describe(played.result), evidence);
  return fail({
    expected: 'the session of the other user goes on',
    actual: `${actual} (${describe(played.result)})`,
    evidence,
    advice: 'End the sessions of the user who asks, by user or by token, and no others.',
  });
}

const LOGOUT_ENDED_ANOTHER = 'the logout of one user ended the session of another';

const worst = (...findings: [Finding, ...Finding[]]): Finding =>
  findings.reduce((one, other) => (RANK.indexOf(one.outcome) <= RANK.indexOf(other.outcome) ? one : other));

const RANK: readonly Finding['outcome'][] = ['fail', 'inconclusive', 'pass', 'not applicable'];

function judgeOlder(journal: JournalView): Finding {
  const [logout, newest] = [journal.step(olderLogsOut), journal.step(newestAfter)];
  if (!logout || !newest) return notRun(journal, olderLogsOut);
  const evidence = [...logout.evidence, ...newest.evidence];
  if (logout.result.kind === 'refused') return notApplicable('the server keeps one session for each user');
  if (logout.result.kind !== 'done') return inconclusive(describe(logout.result), evidence);
  if (newest.result.kind === 'done') return pass(evidence);
  if (newest.result.kind !== 'refused') return inconclusive(describe(newest.result), evidence);
  return fail({
    expected: 'the session that asks ends, and the newest goes on',
    actual: 'the newest session was ended by the logout of an older one',
    evidence,
    advice: 'End the session by the token of the request, and not by its user.',
  });
}

function judgeUnlinked(journal: JournalView): Finding {
  const [played, control] = [journal.step(steps.niaDeletes), journal.step(deletion.steps.delete)];
  if (!played) return notRun(journal, steps.niaDeletes);
  if (played.result.kind === 'done') return pass(played.evidence);
  if (control?.result.kind !== 'done') return inconclusive('no linked user could be deleted either', played.evidence);
  return fail({
    expected: 'the user is deleted, as a linked one is',
    actual: describe(played.result),
    evidence: played.evidence,
    advice: 'Delete what there is of a user: a link, a signature or an entry may be missing.',
    timeSensitive: played.result.kind === 'failed' && played.result.what === 'timeout',
  });
}

function judgeForeignSign(journal: JournalView): Finding {
  const { right, foreign } = whoseSession.steps;
  const [own, played] = [journal.step(right), journal.step(foreign)];
  if (!own || !played) return notRun(journal, foreign);
  const evidence = [...own.evidence, ...played.evidence];
  if (own.result.kind !== 'done') return inconclusive('the owner of the signature could not return', evidence);
  const { user } = own.result.values;
  const isOwners = played.result.kind === 'done' && played.result.values.user === user;
  const saved = sentTo(played, SAVE_AUTH_INFO).find(({ facts }) => facts.call?.user === user);
  if (isOwners || saved)
    return fail({
      expected: 'a session of the one who confirmed the phone, or a refusal',
      actual: isOwners
        ? 'the session of the user whose signature it was'
        : 'save_auth_info was sent for the user whose signature it was',
      evidence: [...evidence, ...(saved ? [saved.seq] : [])],
      advice: 'Find the user by the phone that was confirmed, and by nothing else. A signature proves no phone.',
    });
  if (played.result.kind === 'failed') return inconclusive(describe(played.result), evidence);
  return pass(evidence);
}

export const othersGoOnChecks: readonly Check[] = [
  check({
    id: 'endings-leave-others',
    title: 'The logout or the deletion of one user leaves the sessions of others',
    requirements: ['K-session-of-its-own', 'K-session-ends'],
    scenarios: [othersSessions],
    judge: (journal) =>
      worst(
        judgeNeighbour(journal, {
          ending: steps.niaDeletes,
          before: steps.afterDeletion,
          after: steps.afterNia,
          actual: 'the deletion of one user ended the session of another',
        }),
        judgeNeighbour(journal, {
          ending: steps.maxLogsOut,
          before: journal.step(steps.afterDeletion) ? steps.afterDeletion : steps.afterLogout,
          after: steps.afterMax,
          actual: LOGOUT_ENDED_ANOTHER,
        }),
        judgeNeighbour(journal, {
          ending: steps.olafLogsOut,
          before: steps.piaBefore,
          after: steps.piaAfter,
          actual: LOGOUT_ENDED_ANOTHER,
        }),
      ),
  }),
  check({
    id: 'newest-outlives-older-logout',
    title: 'The newest session goes on when an older one logs out',
    requirements: ['K-session-of-its-own', 'K-session-ends'],
    scenarios: [manyTokens],
    judge: judgeOlder,
  }),
  check({
    id: 'unlinked-user-deleted',
    title: 'A user who was never linked can be deleted',
    requirements: ['DA-delete-user'],
    scenarios: [othersSessions, deletion],
    judge: judgeUnlinked,
  }),
  check({
    id: 'foreign-signature-opens-own-session',
    title: "A sign-in with another user's signature opens a session of the one who confirmed the phone",
    requirements: ['1-phone-confirmed', 'K-session-of-its-own'],
    scenarios: [whoseSession],
    judge: judgeForeignSign,
  }),
];

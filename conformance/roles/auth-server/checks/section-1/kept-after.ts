/** A link outlives the end of a session, and the deletion of somebody else (§1 rule 7, decision 19). */
import type { RequirementId } from '#protocol/requirements.ts';
import { type Check, check } from '../../../../engine/check/check.ts';
import { notApplicable, SAVE_AUTH_INFO, sentTo } from '../../../../engine/check/judging.ts';
import { relabelled } from '../../../../engine/check/red-change.ts';
import { keptAtLink } from '../../flows/links/kept.ts';
import type { Label } from '../../flows/scenario.ts';
import { deletion } from '../../flows/sessions/deletion.ts';
import { logout } from '../../flows/sessions/logout.ts';
import { sessionTime } from '../../flows/sessions/session-time.ts';
import { keptFor } from './kept.ts';

type KeptAfter = Pick<Check, 'id' | 'title'> & {
  of: { id: string };
  /** Whether the event touches nobody else, so that the returns of others show what it does. */
  isOwn: boolean;
  signIn: Label;
  returns: Label;
  more?: readonly RequirementId[];
};

function keptAfter({ of, isOwn, signIn, returns, more = [], ...about }: KeptAfter): Check {
  return check({
    ...about,
    level: 'SHOULD',
    requirements: ['1-matched-user-saved-directly', 'K-link-kept', ...more],
    scenarios: [of, keptAtLink],
    judge(journal) {
      const control = journal.step(keptAtLink.steps.returns);
      const isUnkept = control && !sentTo(control, SAVE_AUTH_INFO).some(({ facts }) => facts.reply?.result);
      const finding = keptFor(journal, returns);
      if (finding.outcome !== 'fail' || !isUnkept || !isOwn) return finding;
      return notApplicable('the signature is not kept at the link either: see signature-kept-at-link');
    },
    red: relabelled(signIn, returns),
  });
}

export const keptAfterChecks: readonly Check[] = [
  keptAfter({
    id: 'link-kept-over-logout',
    title: 'A user who logged out is saved when they return',
    of: logout,
    isOwn: true,
    signIn: { scenario: 'logout', label: 'sign in' },
    returns: { scenario: 'logout', label: 'return after the logout, without a signature' },
    more: ['D19-next-sign-in-direct'],
  }),
  keptAfter({
    id: 'link-kept-over-expiry',
    title: 'A user whose session has run out is saved when they return',
    of: sessionTime,
    isOwn: true,
    signIn: { scenario: 'session-time', label: 'Abe signs in' },
    returns: { scenario: 'session-time', label: 'return after the end of the session, without a signature' },
  }),
  keptAfter({
    id: 'link-kept-over-others-deletion',
    title: 'A user is saved when they return after somebody else was deleted',
    of: deletion,
    isOwn: false,
    signIn: { scenario: 'deletion', label: 'Oda signs in' },
    returns: { scenario: 'deletion', label: 'Oda returns after the deletion of Ned, without a signature' },
  }),
];

/** A link outlives the end of a session, and the deletion of somebody else (§1 rule 7, decision 19). */
import type { RequirementId } from '#protocol/requirements.ts';
import { isFault } from '../../../../engine/check/steps.ts';
import { check } from '../flow.ts';
import { keptAtLink } from './kept-at-link.ts';
import { isSaved, KEEP_ADVICE, notKept } from './kept-sign.ts';

type KeptAfter = {
  id: string;
  title: string;
  /** Whether the event touches somebody else: then it matters even where no signature is kept at the link. */
  isOthers?: boolean;
  returns: string;
  more?: readonly RequirementId[];
};

/** Creates a check that a return after the event is saved with the user's own signature. */
export function keptAfter({ id, title, isOthers = false, returns, more = [] }: KeptAfter) {
  return check({
    id,
    title,
    level: 'SHOULD',
    requirements: ['1-matched-user-saved-directly', 'K-link-kept', ...more],
    also: [keptAtLink],
    judge(steps, journal) {
      const found = notKept(steps, journal, returns);
      if (!isFault(found) || isOthers) return found;
      const control = steps.in(keptAtLink).all('Ivy returns without a signature');
      if (control.length === 0 || control.some(isSaved)) return found;
      return { notApplicable: 'the signature is not kept at the link either: see signature-kept-at-link' };
    },
    advice: KEEP_ADVICE,
  });
}

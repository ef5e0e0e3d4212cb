/**
 * Creates checks that the authorization server still knows a user's link after an event: the end of a
 * session, or the deletion of another user (§1 rule 7).
 */
import { isFault } from '../../../../engine/check/steps.ts';
import { check } from '../flow.ts';
import { isSaved, KEEP_ADVICE, notKept } from './kept-sign.ts';
import { returningUser } from './returning-user.ts';

type KeptAfter = {
  id: string;
  title: string;
  /**
   * Whether the event concerned another user. If not, the check does not apply to a server that keeps no
   * signature when a link is reported.
   */
  isOthers?: boolean;
  /** The label of the step in which the user returns, without a signature, after the event. */
  returns: string;
};

/**
 * Creates a check that a user who returns after the event is saved at the EHR server with their own
 * signature, which the authorization server has kept from the link.
 */
export function keptAfter({ id, title, isOthers = false, returns }: KeptAfter) {
  return check({
    id,
    title,
    requirements: ['K-link-kept'],
    also: [returningUser],
    judge(steps, journal) {
      const found = notKept(steps, journal, returns);
      if (!isFault(found) || isOthers) return found;
      const control = steps.in(returningUser).all('Bea returns on another device');
      if (control.length === 0 || control.some(isSaved)) return found;
      return { notApplicable: 'the signature is not kept at all: see sign-on-record-used' };
    },
    advice: KEEP_ADVICE,
  });
}

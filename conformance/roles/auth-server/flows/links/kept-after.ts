import { isFault } from '../../../../engine/check/steps.ts';
import { check } from '../flow.ts';
import { isSaved, KEEP_ADVICE, notKept } from './kept-sign.ts';
import { returningUser } from './returning-user.ts';

type KeptAfter = {
  id: string;
  title: string;
  /** Else the check does not apply to a server that keeps no signature. */
  isOthers?: boolean;
  returns: string;
};

/** A user who returns after the event must be saved with the signature that the server has kept. */
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

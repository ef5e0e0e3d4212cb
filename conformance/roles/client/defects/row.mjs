/** How the lists of variants are read. */
import { variantsOf } from '../../../engine/defects/rows.mjs';

/**
 * The checks of a client that keeps the user_sign, as it is free to (decision 40). They are judged only where
 * a sign-in of the run carries it.
 */
export const CHECKS_OF_KEPT_SIGN = [
  'user-sign-kept',
  'user-sign-outlives-session',
  'new-sign-kept',
  'stale-sign-forgotten',
  'refused-report-keeps-sign',
  'disconnect-after-success-alone',
  'signs-of-others-kept',
];

/** A scenario besides that of the check, in which a client that keeps the user_sign sends it. */
const sentIn = (check) => (check === 'user-sign-kept' ? 'user-sign-outlives-session' : 'user-sign-kept');

/** The variants of a list. Each has one change, which is a function. */
export const rowsOf = (list) => variantsOf(list, ([change]) => ({ change }));

/** The defects of lists, each below the check that must find it. */
export const defectsOf = (lists) =>
  Object.entries(lists).flatMap(([caughtBy, list]) => {
    const playing = CHECKS_OF_KEPT_SIGN.includes(caughtBy) && [caughtBy, sentIn(caughtBy)];
    return rowsOf(list).map((row) => ({ ...row, caughtBy, ...(playing && { playing }) }));
  });

/** How the lists of variants are written. */

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

/**
 * The variants of a list. A text begins one: its id, and a title that says what this client does. The change
 * in the right client follows, and the public systems that had it: repository and number of an issue.
 */
export function rowsOf(list) {
  const rows = [];
  for (const each of list) {
    const [, id, title] = /^([a-z\d-]+): (.+)$/.exec(each) ?? [];
    if (id) rows.push({ id, title });
    else if (typeof each === 'function') rows.at(-1).change = each;
    else rows.at(-1).seenIn = [...(rows.at(-1).seenIn ?? []), each];
  }
  return rows;
}

/** The defects of lists, each below the check that must find it. */
export const defectsOf = (lists) =>
  Object.entries(lists).flatMap(([caughtBy, list]) => {
    const playing = CHECKS_OF_KEPT_SIGN.includes(caughtBy) && [caughtBy, sentIn(caughtBy)];
    return rowsOf(list).map((row) => ({ ...row, caughtBy, ...(playing && { playing }) }));
  });

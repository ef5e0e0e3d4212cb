/** How the tables of variants are written. */

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
 * The rows of a table. A key is an id and a title: what this client does, as one plain sentence. A value is
 * the change in the right client; public systems that had it may follow: repository and number of an issue.
 */
export const rowsOf = (table) =>
  Object.entries(table).map(([key, value]) => {
    const [id, title] = key.split(/: (.*)/);
    const [change, ...seenIn] = [value].flat();
    return { id, title, change, ...(seenIn.length > 0 && { seenIn }) };
  });

/** The defects of tables, each below the check that must find it. */
export const defectsOf = (tables) =>
  Object.entries(tables).flatMap(([caughtBy, table]) => {
    const playing = CHECKS_OF_KEPT_SIGN.includes(caughtBy) && [caughtBy, sentIn(caughtBy)];
    return rowsOf(table).map((row) => ({ ...row, caughtBy, ...(playing && { playing }) }));
  });

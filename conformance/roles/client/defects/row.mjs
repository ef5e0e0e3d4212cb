/** Reads the lists of clients with a defect or a harmless difference, and makes one object of each row. */
import { variantsOf } from '../../../engine/defects/rows.mjs';

/**
 * The checks that apply only to a client that keeps the user_sign, which a client may do or not (decision
 * 40). A run judges these checks only where a sign-in sends the user_sign.
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

/**
 * The variants of a list. A change is a function that changes the right client. An object beside it has
 * further members: `told` names checks that recommend something else and must say so, `notPlayable` checks
 * that do not apply to this client.
 */
export const rowsOf = (list) =>
  variantsOf(list, (each) => (typeof each === 'function' ? { change: each } : each));

/** The defects of an object whose keys are checks: each list has the defects that the check must find. */
export const defectsOf = (lists) =>
  Object.entries(lists).flatMap(([caughtBy, list]) => rowsOf(list).map((row) => ({ ...row, caughtBy })));

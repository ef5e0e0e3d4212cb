/** Reads the lists of clients with a defect or a harmless difference, and makes one object of each row. */
import { variantsOf } from '../../../engine/defects/rows.mjs';

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

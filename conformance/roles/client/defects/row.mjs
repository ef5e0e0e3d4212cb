/** Reads lists of clients: `id: title` begins one, and its change of the right client follows. */
import { variantsOf } from '../../../engine/defects/rows.mjs';

/** `told`: recommendations that must find it. `notPlayable`: checks that do not apply. */
export const rowsOf = (list) =>
  variantsOf(list, (each) => (typeof each === 'function' ? { change: each } : each));

/** The key of a list is the check that must find its defects. */
export const defectsOf = (lists) =>
  Object.entries(lists).flatMap(([caughtBy, list]) => rowsOf(list).map((row) => ({ ...row, caughtBy })));

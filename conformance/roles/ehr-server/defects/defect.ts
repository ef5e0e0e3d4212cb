/**
 * The form of the lists of variants of the right EHR server. A variant differs in one thing: it has one
 * defect, which a check must find, or it is harmless, and no check may find anything.
 */
import { defectsOf, type List, type Lists, variantsOf } from '../../../engine/defects/rows.mjs';
import type { EhrChange } from '../self-test/serve.ts';

/** The scenarios to play for a defect. Needed where its check judges the messages of all scenarios. */
type Playing = { readonly playing?: readonly string[] };

/**
 * `notPlayable`: the checks that do not apply to a harmless variant, because the kit's file about it lacks
 * something. `told`: the checks of decisions and facts of the field that must find the difference.
 */
type NotPlayable = { readonly notPlayable?: readonly string[]; readonly told?: readonly string[] };

/** A variant: its id, a title that says what this server does, and its change of the right server. */
export type EhrVariant = EhrChange & { readonly id: string; readonly title: string };

/** Reads lists of defects. The key of a list is the check that must find its defects. */
export const foundBy = (lists: Lists<EhrChange & Playing>) => defectsOf(lists);

/** Reads a list of harmless variants: as right as the reference, so that no other check may find anything. */
export const harmlessOf = (list: List<EhrChange & NotPlayable>) => variantsOf(list);

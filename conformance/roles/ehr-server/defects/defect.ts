/** A variant of the right EHR server: its one difference, and the required verdict. */
import { defectsOf, type List, type Lists, variantsOf } from '../../../engine/defects/rows.mjs';
import type { EhrChange } from '../self-test/serve.ts';

/** Scenarios to play, where the check judges the messages of all of them. */
type Playing = { readonly playing?: readonly string[] };

/** Checks that cannot be played with its file. */
type NotPlayable = { readonly notPlayable?: readonly string[] };

export type EhrVariant = EhrChange & { readonly id: string; readonly title: string };

/** Variants with one defect each, below the check that must find it. */
export const foundBy = (lists: Lists<EhrChange & Playing>) => defectsOf(lists);

/** Variants that are as right as the reference: they must change no verdict. */
export const harmlessOf = (list: List<EhrChange & NotPlayable>) => variantsOf(list);

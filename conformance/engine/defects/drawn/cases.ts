/**
 * Proves the command `case` on parties with one defect: the script that it writes must fail on the defect and
 * hold on the right party. It is only written after it was played on both.
 */
import type { CaseRole } from '../../case/case-role.ts';
import { makeCase } from '../../case/make.ts';
import { Untellable } from '../../case/told.ts';
import { type Catalogue, type PlayOptions, referenceOf, type Variant } from '../catalogue.ts';
import { type Drawing, drawnRows, type OnRow, withoutCrash } from './draw.ts';

/** What became of one defect. */
export type CaseRow = {
  id: string;
  check: string;
  /** How many calls the case has; undefined: the check cannot be told. */
  calls: number | undefined;
  /** The assertion of the case, or why there is none. */
  found: string;
};

/** Which defects are played. */
export type CasesOptions = PlayOptions & Drawing & OnRow<CaseRow>;

/** Draws defects by the seed, tells the check of each as a case, and returns a row for each. */
export function caseRows<V extends Variant>(
  catalogue: Catalogue<V>,
  cases: CaseRole<V>,
  options: CasesOptions,
): Promise<CaseRow[]> {
  return drawnRows(catalogue.defects, options, (defect) =>
    withoutCrash(() => rowOf(catalogue, cases, defect, options)),
  );
}

async function rowOf<V extends Variant>(
  catalogue: Catalogue<V>,
  cases: CaseRole<V>,
  defect: Catalogue<V>['defects'][number],
  options: PlayOptions,
): Promise<CaseRow> {
  const { id, caughtBy, playing } = defect;
  const check = catalogue.checks.find((each) => each.id === caughtBy);
  if (!check) return { id, check: caughtBy, calls: undefined, found: 'there is no check of this name' };
  const scenarios = playing ?? check.scenarios.slice(0, catalogue.mostPlayed);
  const reference = () => cases.variant(referenceOf(catalogue, defect), options);
  const right = { ...(cases.rightOf?.(defect, options) ?? reference()), isAlike: true };
  try {
    const { calls, sentence } = await makeCase({
      ...{ check: { ...check, scenarios }, blamed: catalogue.party, sides: cases.sides },
      ...{ party: cases.variant(defect, options), right, signal: options.signal },
    });
    return { id, check: caughtBy, calls, found: sentence };
  } catch (error) {
    if (!(error instanceof Untellable)) throw error;
    return { id, check: caughtBy, calls: undefined, found: error.message };
  }
}

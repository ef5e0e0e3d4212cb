/**
 * Plays all scenarios against parties with one defect, and tells whether the report names its cause first. A
 * report puts failed checks together that have one cause, and sorts the causes.
 */
import { judge } from '../../check/judge.ts';
import { type Cause, causesOf } from '../../report/causes/causes.ts';
import type { Catalogue, PlayOptions, Variant } from '../catalogue.ts';
import { recorded } from '../recorded.ts';
import { type Drawing, drawnRows, type OnRow, withoutCrash } from './draw.ts';

type Defect = { readonly id: string; readonly caughtBy: string };

/** The result of the run against one defect. */
export type WholeRow = {
  id: string;
  /** The check that must find the defect. */
  check: string;
  /** How many causes the report has. */
  causes: number;
  /** The place in the report of the cause that has this check, counted from 1; 0: no cause has it. */
  place: number;
  /** The check that stands first in this cause. */
  leader: string | undefined;
  /** The first cause of the report, after the check that stands first in it. */
  first: string;
};

/** Which defects are played. */
export type WholeOptions = PlayOptions & Drawing & OnRow<WholeRow>;

/** Draws defects by the seed, plays a whole run against each, and returns a row for each. */
export function wholeRows<V extends Variant>(
  { party, checks, defects, play }: Pick<Catalogue<V>, 'party' | 'checks' | 'defects' | 'play'>,
  options: WholeOptions,
): Promise<WholeRow[]> {
  return drawnRows(defects, options, async (defect) => {
    const run = await recorded(['whole', party, defect.id, options.seed], () =>
      withoutCrash(() => play(defect, options, {})),
    );
    return wholeRow(defect, causesOf(judge(run, { checks, party }), run.entries));
  });
}

/** Tells where the cause of a defect stands among the causes of its report. */
export function wholeRow({ id, caughtBy }: Defect, causes: readonly Cause[]): WholeRow {
  const place = causes.findIndex(({ checks }) => checks.includes(caughtBy));
  const [first] = causes;
  return {
    id,
    check: caughtBy,
    causes: causes.length,
    place: place + 1,
    leader: causes[place]?.checks[0],
    first: first ? `${first.checks[0]}: ${first.cause}` : 'nothing is red',
  };
}

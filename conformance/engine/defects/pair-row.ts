/** The result of a self-test with two defects in one party: whether the kit found both. */
import type { PlayOptions } from './catalogue.ts';

/** The result for one pair. `id` has the ids of both defects; `shape` is the right party they are put in. */
export type PairRow = {
  id: string;
  shape: string;
  result:
    | 'both named'
    /** One defect is found and is known to hide others, and the check of the other defect could not judge. */
    | 'one hides the other'
    /** The kit itself stood still, which may be why a check could not judge. */
    | 'disturbed'
    /** The two defects cannot be combined in one party. */
    | 'not composed'
    /** The party threw an error that nothing handled. As a separate process it would have ended. */
    | 'crashed'
    /** A defect was not found. */
    | 'not named';
  /** What the checks found, in words. */
  found: string;
};

/** Which pairs are played. */
export type PairOptions = PlayOptions & {
  /** How many pairs are drawn. */
  count: number;
  /** Plays only the pair of these two ids (`A,B`), or the drawn pairs whose id contains this text. */
  only?: string | undefined;
  onRow?: (row: PairRow, done: number, total: number) => void;
};

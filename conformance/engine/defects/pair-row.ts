/** Two defects in one party: what came of it. */
import type { PlayOptions } from './catalogue.ts';

export type PairRow = {
  id: string;
  shape: string;
  result:
    | 'both named'
    /** One is found and declares that it hides others, and the check of the other could not judge. */
    | 'one hides the other'
    /** The kit itself stood still, which may be why a check could not judge. */
    | 'disturbed'
    /** The two cannot be combined in one party. */
    | 'not composed'
    /** The party with both left an error to nobody, which would end a process of its own. */
    | 'crashed'
    | 'not named';
  found: string;
};

export type PairOptions = PlayOptions & {
  count: number;
  /** Plays only the pair of these two ids (`A,B`), or the drawn pairs whose id contains this text. */
  only?: string | undefined;
  onRow?: (row: PairRow, done: number, total: number) => void;
};

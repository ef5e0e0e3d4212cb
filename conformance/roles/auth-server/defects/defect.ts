/** Makes variants of the mock of the lists of defects and harmless variants. */
import { defectsOf, type List, type Lists, variantsOf } from '../../../engine/defects/rows.mjs';
import type { Change } from './change.ts';

type DefectChange = Change & {
  /** Changes of the adapter file with which the kit drives the variant. */
  readonly file?: FileChange | undefined;
};

type FileChange = {
  /** Requests a second that the variant accepts from one address. */
  requestsPerSecond?: number;
  /** The unit of ttl in which the variant counts. */
  ttlUnit?: 'seconds';
  /** Codes a minute that the variant sends to one address. */
  perMinute?: number;
  /** Codes a day that the variant sends to one phone. */
  perDay?: number;
  /** The only phones that the variant knows. */
  phones?: readonly string[];
};

export type AuthVariant = DefectChange & {
  readonly id: string;
  /** What this server does, as one plain sentence. */
  readonly title: string;
};

export type Defect = AuthVariant & {
  /** The id of the check that must find the defect. */
  readonly caughtBy: string;
};

/** A variant that is just as right as its right server: no check may report it. */
export type Harmless = AuthVariant & {
  /** The ids of checks that cannot be played with the adapter file of the variant. */
  readonly notPlayable?: readonly string[];
  /** The ids of checks of recommendations that must find the difference, which is a warning. */
  readonly told?: readonly string[];
};

/** Makes the defects of lists whose keys are the checks that must find them. */
export const foundBy = (lists: Lists<Change>): Defect[] => defectsOf(lists);

/** Makes harmless variants of a list: a text `id: title` begins a variant; its changes follow. */
export const harmlessOf = (list: List<Omit<Harmless, 'id' | 'title'>>): Harmless[] => variantsOf(list);

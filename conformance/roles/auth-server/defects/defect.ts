/** The rows of the catalogue, and the variants of right authorization servers that come of them. */
import { defectsOf, type List, type Lists, variantsOf } from '../../../engine/defects/rows.mjs';
import type { StepName } from '../../../engine/journal/entry.ts';
import type { ShapeOptions } from '../shapes/shape.ts';
import type { Change } from './change.ts';
import { alsoOn, type PlainShape } from './on-shapes.ts';

export type { PlainShape } from './on-shapes.ts';

/** The right servers that have variants; docs/defects.md describes them. */
export type Shape = 'mock' | PlainShape;

/** How a variant differs from its right server. A plain shape takes only `tls` and `fetch` of a change. */
type DefectChange = Change & {
  /** The mock unless given. */
  readonly shape?: Shape | undefined;
  /** For a plain shape: the names under which its source asks for the defect. */
  readonly faults?: readonly string[] | undefined;
  /** For a plain shape: different but equally right behaviour. */
  readonly settings?: Pick<ShapeOptions, 'answer' | 'print' | 'sessionMinutes'> & {
    /** The delay of each answer, in milliseconds. */
    answerAfterMs?: number;
    /** Makes a token, or the id of a user, from a random text. */
    token?: (drawn: string) => string;
    user?: (drawn: string) => string;
  };
  /** Changes of its adapter file. */
  readonly file?: FileChange | undefined;
};

type FileChange = {
  /** Requests a second that it accepts from one address. */
  requestsPerSecond?: number;
  /** Codes a minute that it sends to one address. */
  perMinute?: number;
  /** Codes a day that it sends to one phone. */
  perDay?: number;
  /** The only phones that it knows. */
  phones?: readonly string[];
  /** Steps whose JSON body names the user beside the session. */
  namesUser?: readonly StepName[];
};

export type AuthVariant = DefectChange & {
  /** kebab-case. */
  readonly id: string;
  /** What this server does, as one plain sentence. */
  readonly title: string;
};

/** A variant with one defect, and the check that must find it. */
export type Defect = AuthVariant & {
  readonly caughtBy: string;
  /** Public systems that had it: repository and number of an issue or pull request, or an advisory. */
  readonly seenIn?: readonly string[] | undefined;
};

/** A variant that is as right as the reference: it must change no verdict. */
export type Harmless = AuthVariant & {
  /** Checks that cannot be played with its adapter file. */
  readonly notPlayable?: readonly string[];
};

/** A defect of plain shapes. The mock has it where the row has a change beside this. */
type OfShapes = {
  readonly on: readonly PlainShape[];
  /** The name under which the source of the shape asks for it; its id there unless given. */
  readonly fault?: string;
  /** Changes of the adapter files of these shapes. */
  readonly file?: FileChange;
};

export const on = (...names: readonly PlainShape[]): OfShapes => ({ on: names });

/** Defects by the check that must find them, in all servers that have them. */
export const foundBy = (lists: Lists<Change | OfShapes>): Defect[] =>
  defectsOf<Change | OfShapes, Change & Partial<OfShapes>>(lists).flatMap(
    ({ id, title, caughtBy, seenIn, on: names, fault, file, ...change }) => {
      const about = { title, caughtBy, seenIn };
      const { tls, fetch } = change;
      const ofShapes = (names?.map((shape) => `${shape}-${id}`) ?? alsoOn(id)).map((own) => {
        const shape: PlainShape = own.startsWith('challenge-') ? 'challenge' : 'carried-sign';
        return { ...about, id: own, shape, faults: [fault ?? own.slice(shape.length + 1)], file, tls, fetch };
      });
      return [...(Object.keys(change).length > 0 ? [{ ...about, id, ...change }] : []), ...ofShapes];
    },
  );

/** Harmless variants of these rows. */
export const harmlessOf = (list: List<Omit<Harmless, 'id' | 'title'>>): Harmless[] => variantsOf(list);

/**
 * Makes the variants of right authorization servers from the lists of defects and of harmless variants. A
 * variant is started in the self-test, which shows that checks find each defect and report nothing harmless.
 * Right servers are the mock and two plain shapes: small authorization servers of another make, `challenge`
 * and `carried-sign`, whose source contains the defects under names.
 */
import { defectsOf, type List, type Lists, variantsOf } from '../../../engine/defects/rows.mjs';
import type { StepName } from '../../../engine/journal/entry.ts';
import type { ShapeOptions } from '../shapes/shape.ts';
import type { Change } from './change.ts';
import { onShapes, type PlainShape } from './on-shapes.ts';

export type { PlainShape } from './on-shapes.ts';

/** The right servers that have variants; the page of defects describes them. */
export type Shape = 'mock' | PlainShape;

/** How a variant differs from its right server. A plain shape uses only `tls` and `fetch` of a change. */
type DefectChange = Change & {
  /** The right server that is changed; the mock unless given. */
  readonly shape?: Shape | undefined;
  /** Only for a plain shape: the names under which its source contains the defects. */
  readonly faults?: readonly string[] | undefined;
  /** Only for a plain shape: settings for behaviour that is different and just as right. */
  readonly settings?: Pick<ShapeOptions, 'answer' | 'print' | 'sessionMinutes'> & {
    /** The delay of each answer, in milliseconds. */
    answerAfterMs?: number;
    /** Makes a token from a random text. */
    token?: (drawn: string) => string;
    /** Makes the id of a user from a random text. */
    user?: (drawn: string) => string;
  };
  /** Changes of the adapter file with which the kit drives the variant. */
  readonly file?: FileChange | undefined;
};

/** What the adapter file of a variant says of it, where that differs from the file of its right server. */
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
  /** Steps whose JSON body names the user, besides the token that identifies the session. */
  namesUser?: readonly StepName[];
};

/** A server that differs from a right one, whether that is a defect or harmless. */
export type AuthVariant = DefectChange & {
  /** In kebab-case; on a plain shape it begins with the name of the shape. */
  readonly id: string;
  /** What this server does, as one plain sentence. */
  readonly title: string;
};

/** A variant with one defect. */
export type Defect = AuthVariant & {
  /** The id of the check that must find the defect. */
  readonly caughtBy: string;
  /** Public systems that had it: repository and number of an issue or pull request, or an advisory. */
  readonly seenIn?: readonly string[] | undefined;
};

/** A variant that is just as right as its right server: no check may report it. */
export type Harmless = AuthVariant & {
  /** The ids of checks that cannot be played with the adapter file of the variant. */
  readonly notPlayable?: readonly string[];
  /** The ids of checks of recommendations that must find the difference, which is a warning. */
  readonly told?: readonly string[];
};

/** Says that plain shapes have a defect. The mock has the defect too if its row also has a change. */
type OfShapes = {
  readonly on: readonly PlainShape[];
  /** The name of the defect in the source of the shape; the id of the defect unless given. */
  readonly fault?: string;
  /** Changes of the adapter files of these shapes. */
  readonly file?: FileChange;
};

/** Says in the row of a defect which plain shapes have it, under its id. */
export const on = (...names: readonly PlainShape[]): OfShapes => ({ on: names });

/**
 * Makes the defects of lists whose keys are the checks that must find them. A row yields a defect of the mock
 * if it has a change, and one of each plain shape that `on` names or, without it, that on-shapes.ts lists.
 */
export const foundBy = (lists: Lists<Change | OfShapes>): Defect[] =>
  defectsOf<Change | OfShapes, Change & Partial<OfShapes>>(lists).flatMap(
    ({ id, title, caughtBy, seenIn, on: names, fault, file, ...change }) => {
      const about = { title, caughtBy, seenIn };
      const { tls, fetch } = change;
      const own = names?.map((shape) => ({ shape, name: id })) ?? onShapes.filter((row) => row.id === id);
      const ofShapes = own.map(({ shape, name }) => ({
        ...{ ...about, id: `${shape}-${name}`, shape, faults: [fault ?? name] },
        ...{ file, tls, fetch },
      }));
      return [...(Object.keys(change).length > 0 ? [{ ...about, id, ...change }] : []), ...ofShapes];
    },
  );

/** Makes harmless variants of a list: a text `id: title` begins a variant; its changes follow. */
export const harmlessOf = (list: List<Omit<Harmless, 'id' | 'title'>>): Harmless[] => variantsOf(list);

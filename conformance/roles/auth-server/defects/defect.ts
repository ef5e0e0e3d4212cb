/** The rows of the catalogue, and the variants of right authorization servers that come of them. */
import type { StepName } from '../../../engine/journal/entry.ts';
import type { ShapeOptions } from '../shapes/shape.ts';
import type { Change } from './change.ts';

/** The right servers that have variants; docs/defects.md describes them. */
export type Shape = 'mock' | PlainShape;
export type PlainShape = 'challenge' | 'carried-sign';

export type Variant = {
  /** The mock unless given. */
  readonly shape?: Shape | undefined;
  /** kebab-case. */
  readonly id: string;
  /** What this server does, as one plain sentence. */
  readonly title: string;
  /** The change to the right server. A plain shape takes only `tls` and `fetch`. */
  readonly change?: Change | undefined;
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

/** A variant with one defect, and the check that must find it. */
export type Defect = Variant & {
  readonly caughtBy: string;
  /** Public systems that had it: repository and number of an issue or pull request, or an advisory. */
  readonly seenIn?: readonly string[] | undefined;
};

/** A variant that is as right as the reference: it must change no verdict. */
export type Harmless = Variant & {
  /** Checks that cannot be played with its adapter file. */
  readonly notPlayable?: readonly string[];
};

/** One defect, in all servers that have it. */
export type DefectRow = Pick<Defect, 'title' | 'seenIn'> & {
  /** The change to the mock. Absent: the mock does not have this defect. */
  readonly change?: Change;
  /** The plain shapes that have it as well, or its ids there, where these are others. */
  readonly on?: readonly (PlainShape | `${PlainShape}-${string}`)[];
  /** The name under which the source of the shape asks for it; its id there unless given. */
  readonly fault?: string;
  /** Changes of the adapter files of these shapes. */
  readonly file?: FileChange;
};

/** The defects of these rows. The key of a row is the check that must find it, a slash, and its id. */
export function foundBy(rows: Readonly<Record<`${string}/${string}`, DefectRow>>): Defect[] {
  return Object.entries(rows).flatMap(([key, row]) => {
    const [caughtBy = '', id = ''] = key.split('/');
    return defectsOf(id, caughtBy, row);
  });
}

export function defectsOf(
  id: string,
  caughtBy: string,
  { change, on = [], fault, file, ...about }: DefectRow,
): Defect[] {
  const ofShapes = on.map((name) => {
    const shape: PlainShape = name.startsWith('challenge') ? 'challenge' : 'carried-sign';
    const own = name === shape ? `${shape}-${id}` : name;
    return {
      ...{ ...about, id: own, caughtBy, shape, faults: [fault ?? own.slice(shape.length + 1)], file },
      ...(change && { change: { tls: change.tls, fetch: change.fetch } }),
    };
  });
  return [...(change ? [{ ...about, id, caughtBy, change }] : []), ...ofShapes];
}

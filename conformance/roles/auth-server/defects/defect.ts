/** A variant of a right authorization server: its one difference, and the required verdict. */

import type { StepName } from '../../../engine/journal/entry.ts';
import type { TlsVariant } from '../self-test/certificates.ts';
import type { ShapeOptions } from '../shapes/shape.ts';
import type { Variation } from './wrong-mock.ts';

/** The right servers that have variants; docs/defects.md describes them. */
export type Shape = 'mock' | 'challenge' | 'carried-sign';

/**
 * The layers of a server's calls, from the wire inwards: it writes bytes, makes calls, watches how they end,
 * waits for the reply, and takes another reply for it.
 */
export const LAYERS = ['bytes', 'calls', 'watches', 'waits', 'replaces'] as const;
export type Layer = (typeof LAYERS)[number];

export type Variant = {
  /** The mock unless given. */
  readonly shape?: Shape;
  /** kebab-case. */
  readonly id: string;
  /** What this server does, as one plain sentence. */
  readonly title: string;
  readonly variation?: () => Variation;
  /** Changes how it sends its calls to the EHR server. */
  readonly fetch?: (send: typeof fetch) => typeof fetch;
  /** Where `fetch` stands beside that of a second defect; `calls` unless given. */
  readonly layer?: Layer;
  /** Uses https, and verifies the EHR server's certificate in this way; plain HTTP unless given. */
  readonly tls?: TlsVariant;
  /** For a plain-JavaScript shape: the enabled faults of its table. */
  readonly faults?: readonly string[];
  /** For a plain-JavaScript shape: different but equally right behaviour. */
  readonly settings?: Pick<ShapeOptions, 'answer' | 'print' | 'sessionMinutes'> & {
    /** The delay of each answer, in milliseconds. */
    answerAfterMs?: number;
    /** Makes a token, or the id of a user, from a random text. */
    token?: (drawn: string) => string;
    user?: (drawn: string) => string;
  };
  /** Changes of its adapter file. */
  readonly file?: {
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
  /** Settings of the mock by their environment variables. */
  readonly env?: Readonly<Record<string, string>>;
};

/** A variant with one defect, and the check that must find it. */
export type Defect = Variant & {
  readonly caughtBy: string;
  /** Public systems that had it: repository and number of an issue or pull request, or an advisory. */
  readonly seenIn?: readonly string[];
};

/** A variant that is as right as the reference: it must change no verdict. */
export type Harmless = Variant & {
  /** Checks that cannot be played with its adapter file. */
  readonly notPlayable?: readonly string[];
};

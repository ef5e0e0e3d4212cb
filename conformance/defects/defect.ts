/** What a variant of a right authorization server is: one thing that it does otherwise, and what must come of it. */
import type { Variation } from '#mock-auth-server/variation.ts';
import type { StepName } from '../journal/entry.ts';
import type { TlsVariant } from '../self-test/certificates.ts';
import type { ShapeOptions } from '../shapes/shape.ts';

/** The right servers of which there are variants; docs/defects.md says what each is. */
export type Shape = 'mock' | 'challenge' | 'carried-sign';

export type Variant = {
  /** The mock unless given. */
  readonly shape?: Shape;
  /** kebab-case. */
  readonly id: string;
  /** What this server does, as one plain sentence. */
  readonly title: string;
  readonly variation?: () => Variation;
  /** How it sends its calls to the EHR server. */
  readonly fetch?: (send: typeof fetch) => typeof fetch;
  /** Over https, and how it verifies the certificate of the EHR server; over plain HTTP unless given. */
  readonly tls?: TlsVariant;
  /** Of a plain-JavaScript shape: the faults of its table that are switched on. */
  readonly faults?: readonly string[];
  /** Of a plain-JavaScript shape: what it does otherwise and just as right. */
  readonly settings?: Pick<ShapeOptions, 'answer' | 'print' | 'sessionMinutes'> & {
    /** So long each answer takes, in milliseconds. */
    answerAfterMs?: number;
    /** Makes a token, or the id of a user, of a random text. */
    token?: (drawn: string) => string;
    user?: (drawn: string) => string;
  };
  /** What its adapter file says otherwise. */
  readonly file?: {
    /** Requests a second that it takes from one address. */
    requestsPerSecond?: number;
    /** Codes that it sends to one address in a minute. */
    perMinute?: number;
    /** Codes that it sends to one phone in a day. */
    perDay?: number;
    /** The only phones that it knows. */
    phones?: readonly string[];
    /** Steps in whose JSON body the user is named beside what shows the session. */
    namesUser?: readonly StepName[];
  };
  /** Settings of the mock by their environment variables. */
  readonly env?: Readonly<Record<string, string>>;
};

/** A variant with one defect, and the check that must find it. */
export type Defect = Variant & {
  readonly caughtBy: string;
  /** Public systems in which it was seen: repository and number of an issue or pull request, or an advisory. */
  readonly seenIn?: readonly string[];
};

/** A variant that is as right as the reference: it must change no verdict. */
export type Harmless = Variant & {
  /** Checks that its adapter file leaves no way to play. */
  readonly notPlayable?: readonly string[];
};

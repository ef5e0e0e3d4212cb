/** What a variant of the reference authorization server is: one thing that it does otherwise, and what must come of it. */
import type { Variation } from '#mock-auth-server/variation.ts';

export type Variant = {
  /** kebab-case. */
  readonly id: string;
  /** What this server does, as one plain sentence. */
  readonly title: string;
  readonly variation?: () => Variation;
  /** How it sends its calls to the EHR server. */
  readonly fetch?: (send: typeof fetch) => typeof fetch;
  /** Settings by their environment variables. */
  readonly env?: Readonly<Record<string, string>>;
};

/** A variant with one defect, and the check that must find it. */
export type Defect = Variant & { readonly caughtBy: string };

/** A variant that is as right as the reference: it must change no verdict. */
export type Harmless = Variant;

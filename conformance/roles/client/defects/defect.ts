/** A variant of the right client: its name, and the check that must find it. */

export type ClientVariant = {
  /** The name in `twin.mjs`. */
  readonly id: string;
  /** What this client does, as one plain sentence. */
  readonly title: string;
};

export type ClientDefect = ClientVariant & {
  /** The check that must find it. */
  readonly caughtBy: string;
  /** Scenarios to play, where that of the check does not show it alone. */
  readonly playing?: readonly string[];
  /** Public systems that had it: repository and number of an issue or pull request. */
  readonly seenIn?: readonly string[];
};

/** Creates a defect. */
export function defect(id: string, title: string, caughtBy: string, ...seenIn: readonly string[]): ClientDefect {
  return { id, title, caughtBy, ...(seenIn.length > 0 && { seenIn }) };
}

/** A defect of a client that keeps the user_sign, as another scenario shows (decision 40). */
export function defectOfKeeper(id: string, title: string, caughtBy: string, keepsIn: string): ClientDefect {
  return { id, title, caughtBy, playing: [caughtBy, keepsIn] };
}

/** A right client with one difference. */
export type HarmlessClient = ClientVariant & {
  /** Checks that cannot be played with it. */
  readonly notPlayable?: readonly string[];
};

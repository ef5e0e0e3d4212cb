/** A variant of the right client, which `twin.mjs` starts by its id. */
export type ClientVariant = {
  readonly id: string;
  /** What this client does, as one plain sentence. */
  readonly title: string;
  /** Further keys of the file about the client. */
  readonly file?: Readonly<Record<string, unknown>>;
};

export type ClientDefect = ClientVariant & {
  /** The check that must find it. */
  readonly caughtBy: string;
};

/** A right client with one difference. */
export type HarmlessClient = ClientVariant & {
  /** Checks that cannot be played with it. */
  readonly notPlayable?: readonly string[];
  /** Checks that recommend something else, and must say so. */
  readonly told?: readonly string[];
};

export const REFERENCE: ClientVariant;
export const clientDefects: readonly ClientDefect[];
export const harmlessClients: readonly HarmlessClient[];

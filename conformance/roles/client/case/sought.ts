/** What the facts of a client have in common. */

/** Where facts of a client stand among others. */
export const CLIENT_RANK = { toAuth: 4, order: 6, screen: 9, ids: 16, words: 12, headers: 36, text: 70 };

/** Texts that screens and messages are searched for. */
export type SoughtTexts = {
  /** Texts of patients, with their names. */
  constants: ReadonlyMap<string, string>;
  /** What the servers gave to the client, by name. */
  names: ReadonlyMap<string, string>;
};

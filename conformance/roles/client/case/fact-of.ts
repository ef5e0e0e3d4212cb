/** What the facts of a client have in common. */
import type { Fact } from '../../../engine/case/fact.ts';

/** Where facts of a client stand among others. */
export const CLIENT_RANK = { toAuth: 4, order: 6, screen: 9, ids: 16, words: 12, headers: 36, text: 70 };

/** What is sought in screens and messages. */
export type SoughtTexts = {
  /** Texts of patients, with their names. */
  constants: ReadonlyMap<string, string>;
  /** What the servers gave to the client, by name. */
  names: ReadonlyMap<string, string>;
};

type Saying = { id: string; rank: number; text: string; isPortable?: boolean };

/** Makes a fact that is tested by the answer of a step. */
export const factOf =
  (key: string) =>
  (
    { id, rank, text, isPortable = true }: Saying,
    test: (a: string) => string,
    seen = (a: string) => a,
  ): Fact => ({
    ...{ id: `${key} ${id}`, key, rank, isPortable, text },
    write(writer) {
      const a = writer.answer(key);
      return a === undefined ? undefined : { test: test(a), seen: seen(a) };
    },
  });

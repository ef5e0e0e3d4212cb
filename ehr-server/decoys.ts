/** Lookups made for the time they take: a refusal makes one that finds something and one that does not, whichever was asked for. */
import { hashToken } from './context.ts';
import type { Store, TokenHash } from './store/store.ts';

export type Decoys<Key> = {
  /** Follows the lookup of `key` by one that ends the other way. */
  balance(key: Key, found: boolean): Promise<void>;
};

type Keys<Key> = {
  find: (key: Key) => unknown;
  /** A key that is never there. */
  never: Key;
  /** A key that is never there, and lies next to this one. */
  beside: (key: Key) => Key;
  isSame: (a: Key, b: Key) => boolean;
};

/** Nobody has a token whose hash is another's but for the last bit. */
export function sessionDecoys(store: Store): Decoys<TokenHash> {
  return decoys({
    find: (tokenHash) => store.findSession(tokenHash),
    never: hashToken(''),
    beside: lastBitTurned,
    isSame: (a, b) => a.equals(b),
  });
}

/** No user has a name with a control character. */
export function linkDecoys(store: Store): Decoys<string> {
  return decoys({
    find: (user) => store.findLink(user),
    never: '\u0001',
    beside: (user) => `${user}\u0001`,
    isSame: (a, b) => a === b,
  });
}

/** As many different keys are looked up for a miss as were found before. */
const REMEMBERED = 64;

/**
 * Keys that were found by calls that were refused serve as keys that are there, in turn: they lie where lookups that
 * find something went, so that caches treat the two alike. The key that is not there lies beside one that is, on a page
 * that has just been read. A key that has been removed since is a miss until others take its place.
 */
function decoys<Key>({ find, never, beside, isSame }: Keys<Key>): Decoys<Key> {
  const remembered: Key[] = Array(REMEMBERED).fill(never);
  let at = 0;
  return {
    async balance(key, found) {
      // Both keys are made and read either way, because making one takes time, and reading one that was long at rest.
      const absent = beside(key);
      const present = remembered[at] as Key;
      if (isSame(absent, present)) return;
      remembered[at] = found ? key : present;
      at = (at + 1) % REMEMBERED;
      await find(found ? absent : present);
    },
  };
}

function lastBitTurned(tokenHash: TokenHash): TokenHash {
  const other = Buffer.from(tokenHash);
  other[other.length - 1] = (other.at(-1) as number) ^ 1;
  return other;
}

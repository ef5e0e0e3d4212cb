/** Lookups made for the time they take: a refusal makes one that finds something and one that does not, whichever was asked for. */
import { type MaybePromise, whenKnown } from '#protocol/maybe-promise.ts';
import type { Store, TokenHash } from './store/store.ts';

export type Decoys<Key> = {
  /** Follows the lookup of `key` by one that ends the other way. */
  balance(key: Key, found: boolean): MaybePromise<void>;
};

type Keys<Key> = {
  find: (key: Key) => MaybePromise<unknown>;
  /** A key that is never there, and lies next to this one. */
  beside: (key: Key) => Key;
  write: (key: Key, slot: Buffer) => number;
  read: (slot: Buffer, length: number) => Key;
};

/** Nobody has a token whose hash is another's but for the last bit. */
export function sessionDecoys(store: Store): Decoys<TokenHash> {
  return decoys({
    find: (tokenHash) => store.findSession(tokenHash),
    beside: lastBitTurned,
    write: (tokenHash, slot) => tokenHash.copy(slot),
    read: (slot, length) => Buffer.from(slot.subarray(0, length)),
  });
}

/** No user has a name with a control character. */
export function linkDecoys(store: Store): Decoys<string> {
  return decoys({
    find: (user) => store.findLink(user),
    beside: (user) => `${user}\u0001`,
    write: (user, slot) => slot.write(user),
    read: (slot, length) => slot.toString('utf8', 0, length),
  });
}

/** As many different keys are looked up for a miss as were found before. */
const REMEMBERED = 512;
/** A user has at most 256 characters, of at most 4 bytes each. */
const SLOT = 1_024;

/**
 * Keys that were found by calls that were refused serve, in turn, as keys that are there: they lie where lookups that
 * find something went, so that caches treat the two alike. The key that is not there lies beside such a one, so that
 * the same page is read for either. A key that has been removed since is a miss until others take its place.
 */
function decoys<Key>({ find, beside, write, read }: Keys<Key>): Decoys<Key> {
  const remembered = Array.from({ length: REMEMBERED }, () => ({ bytes: Buffer.alloc(SLOT), length: 0 }));
  let at = 0;
  return {
    balance(key, found) {
      // All of this is done either way, and leaves nothing to be collected later, because both take time.
      const slot = remembered[at] as (typeof remembered)[number];
      at = (at + 1) % REMEMBERED;
      const present = read(slot.bytes, slot.length);
      const absent = beside(present);
      slot.length = write(found ? key : present, slot.bytes);
      return whenKnown(find(found ? absent : present), () => undefined);
    },
  };
}

function lastBitTurned(tokenHash: TokenHash): TokenHash {
  const other = Buffer.from(tokenHash);
  other[other.length - 1] = (other.at(-1) as number) ^ 1;
  return other;
}

/** Lookups made for the time they take: a refusal makes one that finds something and one that does not, whichever was asked for. */
import { type MaybePromise, whenKnown } from '#protocol/maybe-promise.ts';
import type { Store, TokenHash } from './store/store.ts';

export type Decoys<Key> = {
  /** Follows the lookup of `key` by one that ends the other way. */
  balance(key: Key, found: boolean): MaybePromise<void>;
};

type Keys<Key> = {
  find: (key: Key) => MaybePromise<unknown>;
  write: (key: Key, slot: Buffer) => number;
  read: (slot: Buffer, length: number) => Key;
};

export function sessionDecoys(store: Store): Decoys<TokenHash> {
  return decoys({
    find: (tokenHash) => store.findSession(tokenHash),
    write: (tokenHash, slot) => tokenHash.copy(slot),
    read: (slot, length) => Buffer.from(slot.subarray(0, length)),
  });
}

export function linkDecoys(store: Store): Decoys<string> {
  return decoys({
    find: (user) => store.findLink(user),
    write: (user, slot) => slot.write(user),
    read: (slot, length) => slot.toString('utf8', 0, length),
  });
}

/** So many keys that were found are remembered, and as many that were not. */
const REMEMBERED = 512;
/** A user has at most 256 characters, of at most 4 bytes each. */
const SLOT = 1_024;

type Slot = { readonly bytes: Buffer; length: number };

/**
 * Keys that refused calls have found serve, in turn, those that find nothing, and the other way round. So both kinds of
 * calls read the same places of the database, and caches treat them alike. A key that was removed or stored since then
 * balances nothing until another takes its place.
 */
function decoys<Key>({ find, write, read }: Keys<Key>): Decoys<Key> {
  const ring = () => Array.from({ length: REMEMBERED }, (): Slot => ({ bytes: Buffer.alloc(SLOT), length: 0 }));
  const [foundKeys, missedKeys] = [ring(), ring()];
  let at = 0;
  return {
    balance(key, found) {
      // All of this is done either way, and leaves nothing to be collected later, because both take time.
      at = (at + 1) % REMEMBERED;
      const own = (found ? foundKeys : missedKeys)[at] as Slot;
      const other = (found ? missedKeys : foundKeys)[at] as Slot;
      own.length = write(key, own.bytes);
      return whenKnown(find(read(other.bytes, other.length)), () => undefined);
    },
  };
}

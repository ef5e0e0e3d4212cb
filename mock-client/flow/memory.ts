/** What the browser stores: the session for this tab, and the signature of each link for this device. */
import { z } from 'zod';
import type { Snapshot } from './snapshot.ts';
import type { Attribute } from './state.ts';

/** The part of the browser's `Storage` that the client uses. */
export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export type Memory = {
  readSnapshot(): Snapshot | undefined;
  writeSnapshot(snapshot: Snapshot | undefined): void;
  recallSign(attribute: Attribute): string | undefined;
  keepSign(attribute: Attribute, sign: string): void;
  forgetSign(attribute: Attribute): void;
};

const SNAPSHOT_KEY = 'my-records.tab';

const attribute = z.object({ kind: z.enum(['phone', 'email']), value: z.string().max(254) });
const session = z.object({ user: z.string().min(1), token: z.string().min(1), ttl: z.number() });
const snapshotSchema: z.ZodType<Snapshot> = z.discriminatedUnion('at', [
  z.object({
    at: z.literal('code'),
    attribute,
    digits: z
      .int()
      .optional()
      .transform((digits) => digits),
  }),
  z.object({ at: z.literal('session'), attribute, session, reportDue: z.boolean() }),
  z.object({
    at: z.literal('finish'),
    attribute,
    session,
    ending: z.enum(['logout', 'disconnect', 'delete']),
  }),
]);

/** Creates the memory. `tab` lasts as long as the tab, `device` until the user clears it. */
export function createMemory(tab: KeyValueStorage, device: KeyValueStorage): Memory {
  return {
    readSnapshot() {
      const text = tab.getItem(SNAPSHOT_KEY);
      if (text === null) return undefined;
      const parsed = snapshotSchema.safeParse(jsonOrUndefined(text));
      return parsed.success ? parsed.data : undefined;
    },
    writeSnapshot(snapshot) {
      if (snapshot) tab.setItem(SNAPSHOT_KEY, JSON.stringify(snapshot));
      else tab.removeItem(SNAPSHOT_KEY);
    },
    recallSign: (owned) => device.getItem(signKey(owned)) ?? undefined,
    keepSign: (owned, sign) => device.setItem(signKey(owned), sign),
    forgetSign: (owned) => device.removeItem(signKey(owned)),
  };
}

/**
 * The storage of one of several clients below one address: each has a part of its own, named by its path. The
 * client at the root has the names without a path.
 */
export function storageAt(path: string, storage: KeyValueStorage): KeyValueStorage {
  if (path === '/') return storage;
  const named = (key: string) => `${path} ${key}`;
  return {
    getItem: (key) => storage.getItem(named(key)),
    setItem: (key, value) => storage.setItem(named(key), value),
    removeItem: (key) => storage.removeItem(named(key)),
  };
}

/** Returns the browser's storage or, where the browser denies it, one that lasts until the page is closed. */
export function storageOrSubstitute(open: () => KeyValueStorage): KeyValueStorage {
  try {
    const storage = open();
    storage.setItem('my-records.probe', '1');
    storage.removeItem('my-records.probe');
    return storage;
  } catch {
    // The user's settings deny storage. Everything works, but a reload starts afresh.
    const items = new Map<string, string>();
    return {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    };
  }
}

function signKey({ kind, value }: Attribute): string {
  return `my-records.user-sign:${kind}:${value}`;
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the browser remembers: the session for this tab, and the signature of each link for this device. */
import { z } from 'zod';
import type { Snapshot } from './snapshot.ts';
import type { Attribute } from './state.ts';

/** The part of the browser's `Storage` that is used. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

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
  z.object({ at: z.literal('finish'), attribute, session, ending: z.enum(['logout', 'disconnect', 'delete']) }),
]);

/** `tab` lives as long as the tab, `device` until it is cleared. */
export function createMemory(tab: Shelf, device: Shelf): Memory {
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

/** The browser's storage, or one that lasts until the page is closed where the browser denies its own. */
export function shelfOrSubstitute(open: () => Shelf): Shelf {
  try {
    const shelf = open();
    shelf.setItem('my-records.probe', '1');
    shelf.removeItem('my-records.probe');
    return shelf;
  } catch {
    // Denied by the user's settings: everything works, and a reload begins anew.
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

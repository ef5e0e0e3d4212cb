/** What survives a reload: the session in this tab, each link's signature on this device; no patient data. */
import { z } from 'zod';
import { startChecking } from './linking.ts';
import {
  type Attribute,
  codeStep,
  EMPTY_ATTRIBUTE,
  type Ending,
  type EndingStep,
  type Model,
  type Session,
  signInStep,
  stay,
  type Transition,
} from './state.ts';

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
    return storageOf(new Map());
  }
}

export const storageOf = (items: Map<string, string>): KeyValueStorage => ({
  getItem: (key) => items.get(key) ?? null,
  setItem: (key, value) => void items.set(key, value),
  removeItem: (key) => void items.delete(key),
});

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

export type Snapshot =
  | { at: 'code'; attribute: Attribute; digits: number | undefined }
  | { at: 'session'; attribute: Attribute; session: Session; reportDue: boolean }
  /** The EHR server has done its part of an ending, the authorization server has not. */
  | { at: 'finish'; attribute: Attribute; session: Session; ending: Ending };

/** Returns what to keep of `model`, or undefined when there is nothing to continue from. */
export function snapshotOf({ step }: Model): Snapshot | undefined {
  switch (step.at) {
    case 'signIn':
    case 'ended':
      return undefined;
    case 'code':
      return { at: 'code', attribute: step.attribute, digits: step.digits };
    case 'ending':
      if (step.ehrDone)
        return { at: 'finish', attribute: step.attribute, session: step.session, ending: step.ending };
      return heldIn(step, step.origin);
    default:
      return heldIn(step, step);
  }
}

/** Starts the flow afresh, or from the snapshot of this tab. With a session, asks for its record at once. */
export function boot(snapshot: Snapshot | undefined): Transition {
  const model: Model = {
    step: signInStep(snapshot?.attribute ?? EMPTY_ATTRIBUTE),
    waiting: undefined,
    asked: 0,
  };
  switch (snapshot?.at) {
    case undefined:
      return stay(model);
    case 'code':
      return stay({ ...model, step: { ...codeStep(snapshot.attribute), digits: snapshot.digits } });
    case 'session':
      return startChecking(model, {
        session: snapshot.session,
        attribute: snapshot.attribute,
        linkGone: false,
        reportDue: snapshot.reportDue,
      });
    case 'finish': {
      const { attribute, session: held, ending } = snapshot;
      const rest = { part: 'auth', ehrDone: true, origin: undefined } as const;
      return stay({ ...model, step: { at: 'ending', attribute, session: held, ending, ...rest } });
    }
  }
}

/** The snapshot of a session. `holder`: the step that tells whether its link may still have to be reported. */
function heldIn({ session, attribute }: EndingStep | Holder, holder: Holder | undefined): Snapshot {
  return { at: 'session', attribute, session, reportDue: holder !== undefined && isReportDue(holder) };
}

type Holder = NonNullable<EndingStep['origin']>;

function isReportDue(holder: Holder): boolean {
  switch (holder.at) {
    case 'identify':
      return true;
    case 'checking':
      return holder.reportDue;
    case 'record':
      return holder.report !== 'done';
  }
}

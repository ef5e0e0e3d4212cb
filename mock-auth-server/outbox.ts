/** The outbox of the simulated SMS and e-mail delivery: what was sent to whom, and a way to wait for the next message. */
import type { Clock } from '#protocol/clock.ts';
import type { Attribute } from './attribute.ts';
import type { StoredMessage } from './store/messages.ts';
import type { Store } from './store/store.ts';

/** A message as the outbox shows it: `to` is a phone (digits) or e-mail address, `at` is ISO 8601. */
export type Message = { to: string; text: string; code: string; at: string };

/** Messages, newest first, and the cursor with which to ask for those after them. */
export type Delivery = { messages: Message[]; cursor: number };

export type Selection = {
  /** Absent: messages to anybody. */
  to?: Attribute | undefined;
  /** Only messages after this cursor. */
  after?: number | undefined;
};

export type Outbox = {
  list(selection?: Selection): Delivery;
  /**
   * The messages selected, as soon as there are any, but after `ms` milliseconds on the server's clock in any case.
   * @returns undefined at once when too many callers wait already
   */
  wait(selection: Selection, ms: number, gone: AbortSignal): Promise<Delivery> | undefined;
  /** To be called when a message has been stored. */
  announce(): void;
  /** Answers everybody who waits, and lets nobody wait any more. */
  close(): void;
};

/** So many callers may wait at once. */
export const MAX_WAITING_CALLERS = 256;

export function createOutbox(store: Store, clock: Clock): Outbox {
  const waiting = new Set<{ selection: Selection; settle: (delivery: Delivery) => void }>();
  let closed = false;

  const list = ({ to, after = 0 }: Selection = {}): Delivery => {
    const stored = store.messages.list(to, after);
    return { messages: stored.map(show), cursor: stored[0]?.id ?? after };
  };

  return {
    list,
    wait(selection, ms, gone) {
      const now = list(selection);
      if (now.messages.length > 0 || ms <= 0 || closed || gone.aborted) return Promise.resolve(now);
      if (waiting.size >= MAX_WAITING_CALLERS) return undefined;
      return new Promise((resolve) => {
        const settle = (delivery: Delivery) => {
          waiting.delete(waiter);
          cancel();
          gone.removeEventListener('abort', giveUp);
          resolve(delivery);
        };
        const giveUp = () => settle(now);
        const waiter = { selection, settle };
        const cancel = clock.after(ms, giveUp);
        gone.addEventListener('abort', giveUp);
        waiting.add(waiter);
      });
    },
    announce() {
      for (const { selection, settle } of [...waiting]) {
        const delivery = list(selection);
        if (delivery.messages.length > 0) settle(delivery);
      }
    },
    close() {
      closed = true;
      for (const { selection, settle } of [...waiting]) settle(list(selection));
    },
  };
}

function show({ to, text, code, at }: StoredMessage): Message {
  return { to, text, code, at: new Date(at).toISOString() };
}

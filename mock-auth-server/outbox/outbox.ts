/** The outbox of the simulated SMS and e-mail delivery. Callers list messages, or wait for the next one. */
import type { Clock } from '#protocol/time/clock.ts';
import { type Attribute, readAttribute } from '../otp/attribute.ts';
import type { Store, StoredMessage } from '../store/store.ts';

/** A message in the outbox. `to` is a phone (digits) or an e-mail address; `at` is ISO 8601. */
export type Message = { to: string; text: string; code: string; at: string };

/** Messages, newest first, and the cursor that selects those after them. */
export type Delivery = { messages: Message[]; cursor: number };

export type Selection = {
  to?: Attribute | undefined;
  /** Only messages after this cursor. */
  after?: number | undefined;
};

export type Outbox = {
  list(selection?: Selection): Delivery;
  /** Waits for `ms` on the server's clock. Undefined at once when too many callers are waiting. */
  wait(selection: Selection, ms: number, gone: AbortSignal): Promise<Delivery> | undefined;
  announce(): void;
  /** Answer all waiting callers. From then on, calls of `wait` answer at once. */
  close(): void;
};

/** The most callers that may wait at once. */
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

/** The messages to a phone or e-mail address in any notation, or to all recipients, newest first. */
export function messagesTo(outbox: Outbox, to?: string): Message[] {
  if (to === undefined) return outbox.list().messages;
  const attribute = readAttribute(to);
  return attribute ? outbox.list({ to: attribute }).messages : [];
}

function show({ to, text, code, at }: StoredMessage): Message {
  return { to, text, code, at: new Date(at).toISOString() };
}

/** `wait` is in seconds. */
export type OutboxQuery = { to: Attribute | undefined; after: number; wait: number };

/** The longest time that a caller waits. */
const MAX_WAIT_SECONDS = 60;

/** @returns one sentence saying what is wrong, when the query cannot be used */
export function readOutboxQuery(query: URLSearchParams): OutboxQuery | string {
  for (const name of ['to', 'wait', 'after']) {
    if (query.getAll(name).length > 1) return `${name} must be given once.`;
  }
  const [to, wait, after] = [query.get('to'), query.get('wait') ?? '0', query.get('after') ?? '0'];
  const attribute = to === null ? undefined : readAttribute(to);
  if (to !== null && !attribute) return 'to must be a phone number or an e-mail address.';
  if (!/^\d{1,9}(\.\d{1,3})?$/.test(wait))
    return `wait must be a number of seconds; the longest wait is ${MAX_WAIT_SECONDS}.`;
  if (!/^\d{1,15}$/.test(after)) return 'after must be a cursor, as the header Outbox-Cursor gave it.';
  return { to: attribute, after: Number(after), wait: Math.min(Number(wait), MAX_WAIT_SECONDS) };
}

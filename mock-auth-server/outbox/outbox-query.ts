/** Reads the query of `GET /outbox`. */
import { type Attribute, readAttribute } from '../otp/attribute.ts';

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

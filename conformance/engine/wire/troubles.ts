/**
 * The table of troubles: what may come in the place of the right reply to a call, and what the caller must
 * make of it. Both roles that call servers are judged by it.
 */
import type { Fault } from './faults.ts';
import { UPSTREAM_MARK } from './upstream-mark.ts';

/** One trouble of a server. */
export type Trouble = {
  /** Names the trouble in labels of steps. */
  readonly id: string;
  /** What the caller gets, in words that follow "after". */
  readonly words: string;
  /** What the recording proxy does to the call. */
  readonly fault: Fault;
  /**
   * What the caller must make of it. `error`: nothing was acknowledged, so it claims no success. `either`: it
   * may understand the reply, or take it for a failure. `success`: the reply is right in an unusual form.
   */
  readonly right: 'error' | 'either' | 'success';
  /** The reply is a success without any member: an error for a caller that needs a member. */
  readonly isEmpty?: true;
  /** It never ends by itself: the caller must give the call up. */
  readonly isEndless?: true;
};

/** How late (ms) a late reply is: other steps can come before it, and it is well within any timeout. */
export const LATE_MS = 400;

/** The most calls that meet one trouble: more than any sensible number of retries, so that none succeeds. */
export const MAX_RETRIES = 100;

/** A server that refuses by a JSON-RPC error. The mark shows whether its words are passed on. */
const refusal = (code: number, reason: string): Trouble => ({
  id: reason,
  words: `the error ${reason}`,
  fault: {
    name: 'refuse',
    error: { code, message: `Refused by the conformance kit (${UPSTREAM_MARK}).`, data: { reason } },
  },
  right: 'error',
});

const rows = [
  { id: 'down', words: 'a closed connection', fault: { name: 'down' }, right: 'error' },
  { id: 'reset', words: 'a reset connection', fault: { name: 'reset' }, right: 'error' },
  { id: 'hang', words: 'a call without an answer', fault: { name: 'hang' }, right: 'error', isEndless: true },
  {
    ...{ id: 'trickle', words: 'a reply that comes drop by drop without end', isEndless: true },
    ...{ fault: { name: 'trickle' }, right: 'error' },
  },
  { id: 'truncate', words: 'a reply that breaks off', fault: { name: 'truncate' }, right: 'error' },
  { id: 'not-json', words: 'a page of HTML', fault: { name: 'not-json' }, right: 'error' },
  { id: 'wrong-id', words: 'the reply to another call', fault: { name: 'wrong-id' }, right: 'error' },
  { id: 'http-500', words: 'HTTP 500', fault: { name: 'http-500' }, right: 'error' },
  { id: 'redirect', words: 'a redirect', fault: { name: 'redirect' }, right: 'error' },
  { id: 'reply-lost', words: 'a lost reply', fault: { name: 'reply-lost' }, right: 'error' },
  { id: 'no-result', words: 'neither result nor error', fault: { name: 'no-result' }, right: 'error' },
  {
    ...{ id: 'result-and-error', words: 'result and error at once' },
    ...{ fault: { name: 'result-and-error' }, right: 'error' },
  },
  { id: 'error-text', words: 'an error that is a text', fault: { name: 'error-text' }, right: 'error' },
  { id: 'array', words: 'a list', fault: { name: 'array' }, right: 'error' },
  { id: 'status-204', words: 'HTTP 204 without a body', fault: { name: 'status-204' }, right: 'error' },
  refusal(-33000, 'not_authorized'),
  refusal(-34007, 'user_unknown'),
  refusal(-33403, 'access_forbidden'),
  refusal(-32602, 'invalid_params'),
  refusal(-32603, 'internal_error'),
  {
    ...{ id: 'result-null', words: 'the result null', isEmpty: true },
    ...{ fault: { name: 'result-null' }, right: 'either' },
  },
  { id: 'gzip', words: 'a compressed reply', fault: { name: 'gzip' }, right: 'either' },
  { id: 'huge', words: 'a reply of 8 MiB', fault: { name: 'huge' }, right: 'either' },
  {
    ...{ id: 'duplicate-members', words: 'members that stand twice' },
    ...{ fault: { name: 'duplicate-members' }, right: 'either' },
  },
  { id: 'number-id', words: 'an id that is a number', fault: { name: 'number-id' }, right: 'success' },
  { id: 'string-id', words: 'an id that is a text', fault: { name: 'string-id' }, right: 'success' },
  { id: 'late', words: 'a late reply', fault: { name: 'late', delay: LATE_MS }, right: 'success' },
  { id: 'split-reply', words: 'a reply in parts', fault: { name: 'split-reply' }, right: 'success' },
  {
    ...{ id: 'result-empty', words: 'an empty result', isEmpty: true },
    ...{ fault: { name: 'result-empty' }, right: 'success' },
  },
  { id: 'more-members', words: 'further members', fault: { name: 'more-members' }, right: 'success' },
] as const satisfies readonly Trouble[];

/** All troubles, in the order in which they are played and told. */
export const troubles: readonly Trouble[] = rows;

/** The troubles with these ids, in this order. */
export const troublesOf = (ids: readonly string[]): Trouble[] =>
  ids.map((id) => {
    const found = troubles.find((trouble) => trouble.id === id);
    if (!found) throw new Error(`There is no trouble ${id}.`);
    return found;
  });

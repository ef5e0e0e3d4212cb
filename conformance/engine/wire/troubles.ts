/**
 * The table of troubles: what may come in the place of the right reply to a call, and what the caller must
 * make of it. Both roles that call servers are judged by it.
 */
import type { FaultName } from '../journal/entry.ts';
import { type Fault, UPSTREAM_MARK } from './faults.ts';

export type Trouble = {
  readonly id: string;
  /** What the caller gets, in words that follow "after". */
  readonly words: string;
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

/** A trouble that is one fault of the wire, of the same name. */
const trouble = (
  id: FaultName,
  words: string,
  right: Trouble['right'],
  more: Partial<Trouble> = {},
): Trouble => ({ id, words, right, fault: { name: id }, ...more });

export const troubles: readonly Trouble[] = [
  trouble('down', 'a closed connection', 'error'),
  trouble('reset', 'a reset connection', 'error'),
  trouble('hang', 'a call without an answer', 'error', { isEndless: true }),
  trouble('trickle', 'a reply that comes drop by drop without end', 'error', { isEndless: true }),
  trouble('truncate', 'a reply that breaks off', 'error'),
  trouble('not-json', 'a page of HTML', 'error'),
  trouble('wrong-id', 'the reply to another call', 'error'),
  trouble('http-500', 'HTTP 500', 'error'),
  trouble('redirect', 'a redirect', 'error'),
  trouble('reply-lost', 'a lost reply', 'error'),
  trouble('no-result', 'neither result nor error', 'error'),
  trouble('result-and-error', 'result and error at once', 'error'),
  trouble('error-text', 'an error that is a text', 'error'),
  trouble('array', 'a list', 'error'),
  trouble('status-204', 'HTTP 204 without a body', 'error'),
  refusal(-33000, 'not_authorized'),
  refusal(-34007, 'user_unknown'),
  refusal(-33403, 'access_forbidden'),
  refusal(-32602, 'invalid_params'),
  refusal(-32603, 'internal_error'),
  trouble('result-null', 'the result null', 'either', { isEmpty: true }),
  trouble('gzip', 'a compressed reply', 'either'),
  trouble('huge', 'a reply of 8 MiB', 'either'),
  trouble('duplicate-members', 'members that stand twice', 'either'),
  trouble('number-id', 'an id that is a number', 'success'),
  trouble('string-id', 'an id that is a text', 'success'),
  trouble('late', 'a late reply', 'success', { fault: { name: 'late', delay: LATE_MS } }),
  trouble('split-reply', 'a reply in parts', 'success'),
  trouble('result-empty', 'an empty result', 'success', { isEmpty: true }),
  trouble('more-members', 'further members', 'success'),
];

export const troublesOf = (ids: readonly string[]): Trouble[] =>
  ids.map((id) => {
    const found = troubles.find((trouble) => trouble.id === id);
    if (!found) throw new Error(`There is no trouble ${id}.`);
    return found;
  });

/** A table of all troubles that an EHR server can cause, and the acceptable reactions. */
import type { FaultName } from '../../../../engine/journal/entry.ts';
import { UPSTREAM_MARK } from '../../../../engine/wire/upstream-mark.ts';

/** Faults after which the client must get an error: nothing was acknowledged. */
export const failures = [
  'down',
  'reset',
  'hang',
  'trickle',
  'truncate',
  'not-json',
  'wrong-id',
  'http-500',
  'reply-lost',
  'no-result',
  'result-and-error',
  'error-text',
  'array',
  'status-204',
] as const satisfies readonly FaultName[];

/**
 * Replies that may be understood or refused. Either way the client must be answered, and the next attempt
 * succeed.
 */
export const strangeReplies = [
  'result-null',
  'gzip',
  'huge',
  'duplicate-members',
] as const satisfies readonly FaultName[];

/** Replies that a right server does not even notice. */
export const oddities = [
  'number-id',
  'string-id',
  'late',
  'split-reply',
  'result-empty',
  'more-members',
] as const satisfies readonly FaultName[];

export type Failure = (typeof failures)[number];
export type StrangeReply = (typeof strangeReplies)[number];
export type Oddity = (typeof oddities)[number];

/**
 * Faults that never end by themselves. All of them follow one pause between two codes, so that the server
 * under test waits for all of them at the same time.
 */
export const ENDLESS: ReadonlySet<FaultName> = new Set(['hang', 'trickle']);

/** Documented refusals, in the EHR server's words. */
export const refusals = [
  { code: -33000, reason: 'not_authorized' },
  { code: -33403, reason: 'access_forbidden' },
  { code: -32602, reason: 'invalid_params' },
  { code: -32603, reason: 'internal_error' },
  { code: -34003, reason: 'token_already_stored' },
] as const;

export type SignInRefusal = (typeof signInRefusals)[number];

/** The JSON-RPC error of a refusal. */
export const errorOf = ({ code, reason }: { code: number; reason: string }) => ({
  code,
  message: `Refused by the conformance kit (${UPSTREAM_MARK}).`,
  data: { reason },
});

/**
 * At a sign-in the link of a disconnected user may also be unknown; a duplicate token is tested elsewhere.
 */
export const signInRefusals = [
  { code: -33000, reason: 'not_authorized' },
  { code: -34007, reason: 'user_unknown' },
  { code: -33403, reason: 'access_forbidden' },
  { code: -32602, reason: 'invalid_params' },
  { code: -32603, reason: 'internal_error' },
] as const;

/** Exceeds any sensible number of retries. */
export const MAX_RETRIES = 100;

/** Late enough (ms) to be noticed, and well within any sensible timeout. */
export const LATE_MS = 400;

/** What the EHR server does, in the words of check titles. */
export const troubleWords: Readonly<Record<FaultName, string>> = {
  down: 'closes every connection',
  reset: 'resets the connection',
  hang: 'does not answer',
  trickle: 'sends its reply drop by drop without end',
  truncate: 'breaks off in the middle of its reply',
  'not-json': 'answers with a page of HTML',
  'wrong-id': 'answers another call',
  'http-500': 'answers HTTP 500',
  'http-429': 'answers HTTP 429',
  'reply-lost': 'does the call and loses the reply',
  'no-result': 'answers with neither result nor error',
  'result-and-error': 'answers with result and error at once',
  'error-text': 'answers with an error that is a text',
  array: 'answers with a list',
  'status-204': 'answers HTTP 204 without a body',
  'result-null': 'answers with the result null',
  'result-empty': 'answers with an empty result',
  gzip: 'compresses its reply',
  huge: 'pads its reply to 8 MiB',
  'duplicate-members': 'answers with members that stand twice',
  'number-id': 'returns the id as a number',
  'string-id': 'returns the id as a string',
  late: 'answers late',
  'split-reply': 'answers in several parts',
  redirect: 'answers with a redirect',
  refuse: 'refuses',
  doubled: 'sends its reply twice',
  replayed: 'sends an earlier reply again',
  'sign-alone': 'names the signature user_sign alone',
  'more-members': 'answers with members of its own',
  'short-ttl': 'opens a session of one minute',
  'long-ttl': 'opens a session of ten years',
  'null-id': 'answers with the id null',
};

/**
 * The lists of faults that the kit's EHR server plays, grouped by what the authorization server must make of
 * them, and their words in titles of checks.
 */
import type { FaultName } from '../../../../engine/journal/entry.ts';
import { UPSTREAM_MARK } from '../../../../engine/wire/upstream-mark.ts';

/**
 * Faults after which the client must get an error, because the authorization server got no acknowledgement.
 */
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
 * Replies that the server may understand, or take for a failure. In either case the client must be answered,
 * and the next attempt must succeed.
 */
export const strangeReplies = [
  'result-null',
  'gzip',
  'huge',
  'duplicate-members',
] as const satisfies readonly FaultName[];

/** Right replies in an unusual form, which the server must understand. */
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
 * Faults that never end by themselves. Scenarios let a pause between two codes pass before each. So they
 * begin at the same time, and the server under test waits for all of them at once.
 */
export const ENDLESS: ReadonlySet<FaultName> = new Set(['hang', 'trickle']);

/** The refusals of saves that the interface documents: the JSON-RPC error code, and the reason. */
export const refusals = [
  { code: -33000, reason: 'not_authorized' },
  { code: -33403, reason: 'access_forbidden' },
  { code: -32602, reason: 'invalid_params' },
  { code: -32603, reason: 'internal_error' },
  { code: -34003, reason: 'token_already_stored' },
] as const;

export type SignInRefusal = (typeof signInRefusals)[number];

/**
 * The JSON-RPC error of a refusal. Its message has a mark by which the kit finds it in answers to the client.
 */
export const errorOf = ({ code, reason }: { code: number; reason: string }) => ({
  code,
  message: `Refused by the conformance kit (${UPSTREAM_MARK}).`,
  data: { reason },
});

/**
 * The refusals at a sign-in: the user may also be unknown, as after a disconnection. A token that is stored
 * already is played in the scenario `duplicate-token`.
 */
export const signInRefusals = [
  { code: -33000, reason: 'not_authorized' },
  { code: -34007, reason: 'user_unknown' },
  { code: -33403, reason: 'access_forbidden' },
  { code: -32602, reason: 'invalid_params' },
  { code: -32603, reason: 'internal_error' },
] as const;

/**
 * How many calls meet a fault at most: more than any sensible number of retries, so that none of them
 * succeeds.
 */
export const MAX_RETRIES = 100;

/**
 * How late (ms) the answer `late` is: enough for other steps to come before it, and well within any timeout.
 */
export const LATE_MS = 400;

/** What the EHR server does, by fault, in the words of titles: "when the EHR server ...". */
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
  'odd-tokens': 'gives tokens with signs beyond ASCII',
  'null-id': 'answers with the id null',
};

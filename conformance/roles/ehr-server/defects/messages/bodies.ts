/**
 * Operators for defects that change whole bodies, before and after the right EHR server: batches, and texts
 * that are no JSON, too. The calls' own operators see single calls alone.
 */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import { type Members, membersOf, type RpcCall } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange, EhrServerParts } from '../../self-test/serve.ts';

/** The JSON value of a text; undefined where it is missing or no JSON. */
export const bodyOf = (text: string | undefined): unknown =>
  text === undefined ? undefined : tryJson(text)?.value;

/** Change the text of every request body before the right server reads it. */
export const inBodies = (change: (text: string) => string): EhrChange => ({
  pipeline: (pipeline) => (text, channel) => pipeline(change(text), channel),
});

/** Answer a body by the text of `answer`, without the right server; undefined: the right server answers. */
export const answersBodies = (answer: (text: string) => string | undefined): EhrChange => ({
  pipeline: (pipeline) => (text, channel) => {
    const body = answer(text);
    return body === undefined ? pipeline(text, channel) : { body };
  },
});

/** Change the calls of a batch before they are carried out; undefined: the batch goes on as it came. */
export const inBatches = (
  change: (calls: RpcCall[], parts: EhrServerParts) => unknown[] | undefined | Promise<unknown[] | undefined>,
): EhrChange => ({
  pipeline: (pipeline, parts) => async (text, channel) => {
    const calls = bodyOf(text);
    const isBatch = Array.isArray(calls) && calls.every(isObject);
    const changed = isBatch ? await change(calls as RpcCall[], parts) : undefined;
    return pipeline(changed ? JSON.stringify(changed) : text, channel);
  },
});

/** Change every answered JSON value: a reply, or the list of replies to a batch. */
const inAnswers = (change: (value: unknown) => unknown): EhrChange => ({
  pipeline: (pipeline) => async (text, channel) => {
    const { body } = await pipeline(text, channel);
    return { body: body === undefined ? undefined : JSON.stringify(change(JSON.parse(body))) };
  },
});

/**
 * Change the list of replies to a batch. It is in the order of the calls, without those that want no reply.
 */
export const inBatchReplies = (change: (replies: Members[]) => unknown): EhrChange =>
  inAnswers((value) => (Array.isArray(value) ? change(value) : value));

/** Change the reply to every body that is no batch, also to one that is no call. */
export const inReplies = (change: (reply: Members) => unknown): EhrChange =>
  inAnswers((value) => (isObject(value) ? change(value) : value));

/** Change the error in every reply that has one, except in batches. */
export const inErrors = (change: (error: Members) => unknown): EhrChange =>
  inReplies((reply) => ('error' in reply ? { ...reply, error: change(membersOf(reply.error)) } : reply));

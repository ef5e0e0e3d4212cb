/** Changes whole bodies, batches and texts that are no JSON included, around the right pipeline. */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import { type Members, membersOf, type RpcCall } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange, EhrServerParts } from '../../self-test/serve.ts';

export const bodyOf = (text: string | undefined): unknown =>
  text === undefined ? undefined : tryJson(text)?.value;

/** Change bodies before they are read. */
export const inBodies = (change: (text: string) => string): EhrChange => ({
  pipeline: (pipeline) => (text, channel) => pipeline(change(text), channel),
});

/** Answer bodies without the right server, where `answer` gives a text. */
export const answersBodies = (answer: (text: string) => string | undefined): EhrChange => ({
  pipeline: (pipeline) => (text, channel) => {
    const body = answer(text);
    return body === undefined ? pipeline(text, channel) : { body };
  },
});

/** Change what is sent as one object, whether it is a call or not. */
export const inObjects = (change: (members: Members) => Members): EhrChange =>
  inBodies((text) => {
    const value = bodyOf(text);
    return isObject(value) ? JSON.stringify(change(value)) : text;
  });

/** Change the calls of a batch before they are carried out. Undefined: they go on as they came. */
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

/** Change every JSON that is answered: a reply, or the list of a batch. */
const inAnswers = (change: (value: unknown) => unknown): EhrChange => ({
  pipeline: (pipeline) => async (text, channel) => {
    const { body } = await pipeline(text, channel);
    return { body: body === undefined ? undefined : JSON.stringify(change(JSON.parse(body))) };
  },
});

/** Change the replies of batches, in the order of the calls that ask for one. */
export const inBatchReplies = (change: (replies: Members[]) => unknown): EhrChange =>
  inAnswers((value) => (Array.isArray(value) ? change(value) : value));

/** Change the replies to bodies that are no batch, malformed ones included. */
export const inReplies = (change: (reply: Members) => unknown): EhrChange =>
  inAnswers((value) => (isObject(value) ? change(value) : value));

/** Change the errors of single replies. */
export const inErrors = (change: (error: Members) => unknown): EhrChange =>
  inReplies((reply) => ('error' in reply ? { ...reply, error: change(membersOf(reply.error)) } : reply));

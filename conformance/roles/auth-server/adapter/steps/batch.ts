/** Sends several calls of one step to the server under test as one JSON-RPC batch, if it accepts batches. */
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { StepResult } from '../../../../engine/journal/entry.ts';
import type { RpcStep } from '../../../../engine/party/file/step-schema.ts';
import { buildCall, type HttpRequest } from '../../../../engine/party/requests/build-request.ts';
import { readRpcAnswer } from '../../../../engine/party/requests/read-answer.ts';
import { send } from '../../../../engine/party/requests/send.ts';
import type { Variables } from '../../../../engine/party/requests/template.ts';

export type BatchParts = {
  /** The id of the first call; the ids of the others follow it. */
  firstId: number;
  /** Address of the recording proxy in front of the server under test, without a trailing slash. */
  baseUrl: string;
  /** Adds the headers that tell to which step the request belongs. */
  ofStep: (headers: HttpRequest['headers']) => HttpRequest['headers'];
  /** Values that a call must yield to count as done. */
  required: readonly string[];
  /** The parts that sending needs, such as a time limit. */
  send: Parameters<typeof send>[1];
};

/** Sends the calls as one batch. `taken`: the server answered each call. */
export async function sendBatch(
  step: RpcStep,
  calls: readonly Variables[],
  { firstId, baseUrl, ofStep, required, send: how }: BatchParts,
): Promise<{ results: StepResult[]; taken: boolean }> {
  const requests = calls.map((variables, index) => buildCall(step, variables, baseUrl, firstId + index));
  const [first] = requests;
  if (!first) return { results: [], taken: false };
  const body = `[${requests.map((request) => request.body).join(',')}]`;
  const answer = await send({ ...first, headers: ofStep(first.headers), body }, how);
  if (answer.kind === 'failed') return { results: calls.map(() => answer), taken: false };
  const replies = tryJson(answer.text)?.value;
  if (!Array.isArray(replies)) {
    const result = readRpcAnswer(answer, firstId, { places: {}, required: [], variables: {} });
    // The server gave one answer to the whole batch, not a list. Whatever it says, no call was executed.
    const whole: StepResult = result.kind === 'done' ? NOT_TAKEN : result;
    return { results: calls.map(() => whole), taken: false };
  }
  const results = calls.map((variables, index): StepResult => {
    const own = replies.find((reply) => isObject(reply) && String(reply.id) === String(firstId + index));
    if (own === undefined) return NOT_TAKEN;
    const wanted = { places: step.extract ?? {}, required, variables };
    return readRpcAnswer({ ...answer, text: JSON.stringify(own) }, firstId + index, wanted);
  });
  return { results, taken: !results.includes(NOT_TAKEN) };
}

/** The result of a call that the server did not answer. */
const NOT_TAKEN: StepResult = {
  kind: 'failed',
  what: 'unexpected-answer',
  detail: 'no answer to a call of the batch',
};

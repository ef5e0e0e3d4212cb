/** Judges answers: what no answer may contain, and which calls may have changed something. */
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { MethodTable } from '#protocol/methods/method-spec.ts';
import { isMalformed, isObject, readCalls } from '#protocol/wire/envelope.ts';
import { errorTable, isReason } from '#protocol/wire/errors.ts';
import { tryJson } from '#protocol/wire/json.ts';
import { violationsOf } from '#protocol/wire/wire-guard.ts';
import { COUNTED } from '../steps.ts';
import { type Bytes, type RawInput, textOf } from './input.ts';
import type { StoredChange } from './probe.ts';
import { type HttpResponse, type Posted, type ReceivedBytes, readResponses } from './wire.ts';

/**
 * Statuses that a server may answer to a malformed request. From 500 up the fault is the server's, except
 * 501.
 */
const ALLOWED_STATUSES = [100, 200, 204, 400, 403, 404, 405, 408, 411, 413, 414, 415, 417, 429, 431];

/** Lists what is wrong with the bytes received over a socket, one sentence each. */
export function problemsOfRaw(
  { bytes, ending }: RawInput,
  { bytes: received, isHung }: ReceivedBytes,
): string[] {
  const problems = isHung ? ['The connection was left open after it was closed for writing.'] : [];
  const { responses, rest } = readResponses(received);
  // A client that breaks the connection may lose the end of an answer.
  if (rest !== '' && ending === 'wait' && !bytes.includes('HEAD'))
    problems.push('An answer broke off, or is no HTTP.');
  // 304 may answer only a request with a conditional header.
  const mayHaveIt = /^(?:GET|HEAD) .*^if-(?:none-match|modified-since)\s*:/ims.test(bytes);
  // 501 may answer only a request with a transfer coding.
  const isCoded = /^transfer-encoding\s*:/im.test(bytes);
  const answers = responses.filter(
    ({ status }) => !(mayHaveIt && status === 304) && !(isCoded && status === 501),
  );
  return [...problems, ...answers.flatMap(problemsOfResponse)];
}

/** Lists what is wrong with the answer to a body, one sentence each. */
export function problemsOfRpc(body: Bytes, { status, text }: Posted, methods: MethodTable): string[] {
  return violationsOf({ status, request: textOf(body), reply: text }, methods);
}

/** Checks that the calls of `body`, by the answers they got, may have caused the change. */
export function changeProblems(body: Bytes, reply: string, change: StoredChange): string[] {
  if (change === 'none') return [];
  const outcomes = outcomesOf(body, reply);
  if (outcomes.some(({ method, reason }) => reason === undefined && CHANGING.includes(method))) return [];
  const counted = outcomes.some(({ reason }) => reason !== undefined && COUNTED_REASONS.includes(reason));
  if (change === 'failures') return counted ? [] : ['A refused call counted a failure on an exchange token.'];
  return ['What the server holds was changed although every call that may change it was refused.'];
}

const CHANGING = Object.keys(ehrMethods).filter((name) => name.startsWith('embedded_storage.'));
/** Refusals that count towards the failure limit of an exchange token (decision note 9). */
const COUNTED_REASONS = [...COUNTED, '(not told)'];

type CallOutcome = { method: string; reason: string | undefined };

/** Returns the outcome of each call. A notification may have been executed, and gets no reply. */
function outcomesOf(body: Bytes, reply: string): CallOutcome[] {
  try {
    const { calls } = readCalls(textOf(body));
    const answered = tryJson(reply)?.value;
    const replies = Array.isArray(answered) ? [...answered] : [answered];
    return calls.flatMap((call): CallOutcome[] => {
      const method = isMalformed(call) ? '' : call.method;
      if (isMalformed(call) || call.id !== undefined) return [{ method, reason: reasonOf(replies.shift()) }];
      return [undefined, '(not told)'].map((reason) => ({ method, reason }));
    });
  } catch {
    // Nothing in this body can be executed.
    return [];
  }
}

function reasonOf(reply: unknown): string | undefined {
  if (!isObject(reply) || !isObject(reply.error) || !isObject(reply.error.data)) return undefined;
  return String(reply.error.data.reason);
}

function problemsOfResponse({ status, headers, body }: HttpResponse): string[] {
  if (!ALLOWED_STATUSES.includes(status)) return [`An HTTP ${status} is no way to answer.`];
  if (body === '' || !/\r\ncontent-type: application\/json/i.test(headers)) return [];
  const parsed = tryJson(textOf(body));
  if (!parsed) return [`An HTTP ${status} announces JSON and carries none.`];
  const replies = (Array.isArray(parsed.value) ? parsed.value : [parsed.value]).filter(
    (reply) => isObject(reply) && 'jsonrpc' in reply,
  );
  return replies.flatMap((reply) => {
    const reason = reasonOf(reply);
    if (reason === undefined) return 'result' in reply ? [] : ['A reply has neither a result nor an error.'];
    if (!isReason(reason)) return ['An error carries a reason that is not in the table.'];
    if (reason === 'internal_error') return ['The server answered internal_error.'];
    return reply.error.code === errorTable[reason].code
      ? []
      : [`The reason ${reason} came with another code.`];
  });
}

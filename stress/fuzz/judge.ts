/** What an answer must not be, and which calls may have changed something. */
import { isMalformed, isObject, readCalls } from '#protocol/envelope.ts';
import { errorTable, isReason } from '#protocol/errors.ts';
import { tryJson } from '#protocol/json.ts';
import type { MethodTable } from '#protocol/method-spec.ts';
import { violationsOf } from '#protocol/wire-guard.ts';
import { type Bytes, type RawInput, textOf } from './input.ts';
import type { Posted } from './post.ts';
import { type HttpResponse, type Received, readResponses } from './raw-http.ts';
import type { StateProbe } from './state-probe.ts';

/** With which a server may answer what is no proper request; from 500 up it would be the server's own fault, but for 501. */
const STATUSES = [100, 200, 204, 400, 403, 404, 405, 408, 411, 413, 414, 415, 417, 429, 431];

/** What is wrong with what came back over a socket, one sentence each. */
export function problemsOfRaw({ bytes, ending }: RawInput, { bytes: received, end }: Received): string[] {
  const problems = end === 'hung' ? ['The connection was left open after it was closed for writing.'] : [];
  const { responses, rest } = readResponses(received);
  // Whoever breaks the connection off may lose the end of an answer.
  if (rest !== '' && ending === 'wait' && !bytes.includes('HEAD')) problems.push('An answer broke off, or is no HTTP.');
  // 304 is an answer to who says that he may have the page already, and to nobody else.
  const mayHaveIt = /^(?:GET|HEAD) .*^if-(?:none-match|modified-since)\s*:/ims.test(bytes);
  // 501 is one to who sends a transfer coding.
  const isCoded = /^transfer-encoding\s*:/im.test(bytes);
  const answers = responses.filter(({ status }) => !(mayHaveIt && status === 304) && !(isCoded && status === 501));
  return [...problems, ...answers.flatMap(problemsOfResponse)];
}

/** What is wrong with the answer to a body, one sentence each. */
export function problemsOfRpc(body: Bytes, { status, text }: Posted, methods: MethodTable): string[] {
  return violationsOf({ status, request: textOf(body), reply: text }, methods);
}

/** Whether what changed is what the calls of `body` may change, by the answers they got. */
export function changeProblems(body: Bytes, reply: string, change: ReturnType<StateProbe['change']>): string[] {
  if (change === 'none') return [];
  const outcomes = outcomesOf(body, reply);
  if (outcomes.some(({ method, reason }) => reason === undefined && CHANGING.includes(method))) return [];
  const counted = outcomes.some(({ reason }) => reason !== undefined && COUNTED.includes(reason));
  if (change === 'failures') return counted ? [] : ['A refused call counted a failure on an exchange token.'];
  return ['What the server holds was changed although every call that may change it was refused.'];
}

const CHANGING = [
  ...['embedded_storage.save_auth_info', 'embedded_storage.save_exchange_token', 'embedded_storage.authenticate'],
  ...['embedded_storage.remove_auth_info', 'embedded_storage.remove_authentication'],
];
/** Reasons of which an exchange token keeps count (decision note 9). */
const COUNTED = ['patient_not_matched', 'patient_already_matched', 'patient_already_linked', '(not told)'];

type Outcome = { method: string; reason: string | undefined };

/** What came of each call; a notification may have been carried out, and tells nothing. */
function outcomesOf(body: Bytes, reply: string): Outcome[] {
  try {
    const { calls } = readCalls(textOf(body));
    const answered = tryJson(reply)?.value;
    const replies = Array.isArray(answered) ? [...answered] : [answered];
    return calls.flatMap((call): Outcome[] => {
      if (!isMalformed(call) && call.id === undefined) {
        const { method } = call;
        return [
          { method, reason: undefined },
          { method, reason: '(not told)' },
        ];
      }
      const answer = replies.shift();
      return [{ method: isMalformed(call) ? '' : call.method, reason: reasonOf(answer) }];
    });
  } catch {
    // The body is none that anything could be carried out of.
    return [];
  }
}

function reasonOf(reply: unknown): string | undefined {
  if (!isObject(reply) || !isObject(reply.error) || !isObject(reply.error.data)) return undefined;
  return String(reply.error.data.reason);
}

function problemsOfResponse({ status, headers, body }: HttpResponse): string[] {
  if (!STATUSES.includes(status)) return [`An HTTP ${status} is no way to answer.`];
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
    return reply.error.code === errorTable[reason].code ? [] : [`The reason ${reason} came with another code.`];
  });
}

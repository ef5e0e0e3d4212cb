/** Makes the rows of the lanes from the entries of the kit's journal, and all that is told of one message. */
import type { Entry, ExchangeEntry } from '#conformance/engine/journal/entry.ts';
import { answerOf, callOf, endsOf, remarkOf } from '#conformance/engine/report/words.ts';
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import type { MethodTable } from '#protocol/methods/method-spec.ts';
import { curlOf } from '#protocol/wire/har.ts';
import type { Message, MessageDetail, Outcome, PartyName, Row, Wire } from '../../api.ts';
import { objectIn, objectOf } from './identities.ts';

const methods: MethodTable = { ...ehrMethods, ...authMethods };

/** Requests that are no messages of the interface: text messages, pages, preflights, probes. */
const UNSHOWN_PATHS = /^\/(?:outbox|sms|healthz|readyz|favicon)\b/;

/** Whether an entry has its place in the lanes. */
export function isOfLanes(entry: Entry): boolean {
  if (entry.kind === 'note') return true;
  if (entry.kind !== 'exchange' || entry.link === 'auth->sms') return false;
  return entry.request.method !== 'OPTIONS' && !UNSHOWN_PATHS.test(entry.request.path);
}

/** @param startedAt when the recorder was made, by its clock */
export function rowOf(entry: Entry, startedAt: number, person: string | undefined): Row | undefined {
  if (entry.kind === 'exchange' && entry.link !== 'auth->sms') return messageOf(entry, startedAt, person);
  const text = remarkText(entry);
  return text === undefined ? undefined : { kind: 'remark', id: entry.seq, at: startedAt + entry.at, text };
}

/** What a row beside the messages says; undefined for entries without a row. */
function remarkText(entry: Entry): string | undefined {
  switch (entry.kind) {
    case 'step':
      return `${entry.user}: ${entry.label}`;
    case 'note':
    case 'server':
    case 'silence':
    case 'code':
    case 'observation':
      return remarkOf(entry);
    default:
      return undefined;
  }
}

function messageOf(entry: ExchangeEntry, startedAt: number, person: string | undefined): Message {
  const { seq, link, at, endedAt, facts, fault } = entry;
  const [from, to] = endsOf(link) as readonly [PartyName, PartyName];
  const clause = methods[callOf(entry)]?.clause;
  return {
    kind: 'message',
    id: seq,
    wire: link as Wire,
    from,
    to,
    method: callOf(entry),
    summary: Object.keys(facts.call?.params ?? {})
      .filter((name) => name !== '')
      .join(', '),
    answer: answerWords(entry),
    outcome: outcomeOf(entry),
    beganAt: startedAt + at,
    endedAt: startedAt + endedAt,
    ...(clause !== undefined && { clause }),
    ...(person !== undefined && { person }),
    ...(fault !== undefined && { fault }),
    ...(facts.patientData && { patientData: facts.patientData }),
  };
}

/** The row of a message whose request alone has crossed. */
export function withoutReply(message: Message): Message {
  return { ...message, outcome: 'underWay', answer: '', endedAt: message.beganAt };
}

function outcomeOf({ facts, response, broke }: ExchangeEntry): Outcome {
  if (!response || broke) return 'broken';
  if (response.status >= 500) return 'failed';
  if (response.status >= 400) return 'refused';
  if (!facts.call) return 'done';
  if (!facts.reply) return 'failed';
  return facts.reply.result ? 'done' : facts.reply.code === undefined ? 'failed' : 'refused';
}

/** A refusal by its reason; a result by the names of its members. */
function answerWords(entry: ExchangeEntry): string {
  const { facts, response, broke } = entry;
  const { text } = answerOf(entry);
  if (broke || !facts.call || !facts.reply || response?.status !== 200) return text;
  const { result, code, reason } = facts.reply;
  if (!result) return reason === undefined ? text : `${reason} (${code})`;
  const names = Object.keys(objectIn(objectOf(response.body), 'result'));
  return names.length === 0 ? 'result' : `result: ${names.join(', ')}`;
}

/** Returns all that crossed. */
export function detailOf(
  entry: ExchangeEntry,
  message: Message,
): Omit<MessageDetail, 'changes' | 'verdicts'> {
  const { request, response, broke } = entry;
  const clauseText = methods[message.method]?.summary;
  const { method, path, headers, body } = request;
  return {
    ...message,
    request: { method, path, headers, body },
    ...(response && { reply: { status: response.status, headers: response.headers, body: response.body } }),
    ...(broke && { broke }),
    ...(clauseText !== undefined && { clauseText }),
    curl: curlOf(request),
  };
}

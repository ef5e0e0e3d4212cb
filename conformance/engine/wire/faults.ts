/** Faults that the recording proxy injects, each as a way of answering one request. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import type { FaultName } from '../journal/entry.ts';
import { UPSTREAM_MARK } from './upstream-mark.ts';

export type Fault = {
  name: FaultName;
  /** For `refuse`: the JSON-RPC error of the answer. */
  error?: { code: number; message: string; data?: unknown };
  /** For `late` and `split-reply`: the delay in milliseconds. */
  delay?: number;
  /** For `http-500`: another status of a failing server. */
  status?: number;
  /** For `redirect`: the target. */
  location?: string;
};

/** A JSON-RPC call as it was sent. */
export type Call = { method?: unknown; params?: unknown; [name: string]: unknown };

export type Answer = { status: number; headers: [string, string][]; body: Buffer };

/** Runs `then` after `ms`, unless the proxy was stopped meanwhile. */
export type Pause = (ms: number, then: () => void) => void;

/** Whether the request reaches the server, because the fault spoils only the reply. */
export function reachesServer({ name }: Fault): boolean {
  return REACHING.has(name);
}

const REACHING: ReadonlySet<string> = new Set([
  'late',
  'truncate',
  'wrong-id',
  'reply-lost',
  'split-reply',
  'number-id',
  'string-id',
  'result-null',
  'result-empty',
  'more-members',
  'gzip',
  'huge',
  'duplicate-members',
]);

/** The answer given in the server's place; undefined where there is none. */
export function standIn(fault: Fault, requestBody: string): Answer | undefined {
  const json: [string, string][] = [['content-type', 'application/json; charset=utf-8']];
  const envelope = (members: object) => ({ jsonrpc: '2.0', ...members, id: idOf(requestBody) });
  const reply = (members: object): Answer => ({
    status: 200,
    headers: json,
    body: Buffer.from(JSON.stringify(asBatch(envelope(members)))),
  });
  // The reply to a batch is a batch.
  const asBatch = (value: object) => (isBatchOfOne(requestBody) ? [value] : value);
  switch (fault.name) {
    case 'not-json':
      return {
        status: 200,
        headers: [['content-type', 'text/html; charset=utf-8']],
        body: Buffer.from(`<!doctype html><title>Maintenance</title><p>We will be back soon. ${UPSTREAM_MARK}`),
      };
    case 'http-500':
      return {
        status: fault.status ?? 500,
        headers: json,
        body: Buffer.from(JSON.stringify({ error: { reason: 'internal_error', detail: UPSTREAM_MARK } })),
      };
    case 'redirect':
      return { status: 307, headers: [['location', fault.location ?? '/']], body: Buffer.alloc(0) };
    case 'refuse':
      return reply({ error: fault.error });
    case 'no-result':
      return reply({});
    case 'result-and-error':
      return reply({ result: { id: 'made-up' }, error: { code: -32603, message: 'Internal error.' } });
    case 'error-text':
      return reply({ error: 'not today' });
    case 'array':
      return {
        status: 200,
        headers: json,
        body: Buffer.from(JSON.stringify([asBatch(envelope({ result: { id: 'made-up' } }))])),
      };
    case 'status-204':
      return { status: 204, headers: [], body: Buffer.alloc(0) };
    case 'trickle':
      return reply({ result: { id: 'made-up' } });
    default:
      return undefined;
  }
}

/** Changes the server's answer as the fault says. An answer that is no JSON object has no id to change. */
export function spoil(fault: Fault, answer: Answer, requestBody: string): Answer {
  const id = idOf(requestBody);
  switch (fault.name) {
    case 'wrong-id':
      return withId(answer, typeof id === 'number' ? id + 1_000_003 : `${String(id)}-another`);
    case 'number-id':
      return withId(answer, typeof id === 'string' && id.trim() !== '' && !Number.isNaN(Number(id)) ? Number(id) : id);
    case 'string-id':
      return withId(answer, id === null ? null : String(id));
    case 'result-null':
      return changed(answer, (reply) => ({ ...reply, result: null }));
    case 'result-empty':
      return changed(answer, (reply) => ({ ...reply, result: {} }));
    case 'more-members':
      return changed(answer, (reply) => ({ ...reply, ...MORE, result: { ...Object(reply.result), ...MORE } }));
    case 'gzip':
      return { ...answer, headers: [...answer.headers, ['content-encoding', 'gzip']], body: gzipSync(answer.body) };
    case 'huge':
      return { ...answer, body: Buffer.concat([Buffer.alloc(HUGE_PADDING_BYTES, ' '), answer.body]) };
    case 'duplicate-members':
      return {
        ...answer,
        body: Buffer.from(answer.body.toString('utf8').replace('{', `{"id":"another","result":"another",`)),
      };
    default:
      return answer;
  }
}

/** A member that no reply of the interface has. */
const MORE = { storedAt: '2026-01-15T09:00:00.000Z' };

/** Exceeds what any reply of the interface needs. */
const HUGE_PADDING_BYTES = 8 * 1024 * 1024;

/** The JSON-RPC calls in a request, alone or in a batch. */
export function callsIn(requestBody: string): Call[] {
  const value = tryJson(requestBody)?.value;
  const found = Array.isArray(value) ? value : [value];
  return found.filter((call): call is Call => isObject(call) && 'method' in call);
}

/**
 * Sends an answer. `truncate` announces the whole and sends half. `late` waits first. `split-reply` sends
 * three parts with pauses. `trickle` sends a blank now and then and never reaches the reply.
 * @param beforeEnd called when the last part is about to be sent
 */
export function send(
  response: ServerResponse,
  answer: Answer,
  fault: Fault | undefined,
  pause: Pause,
  beforeEnd: () => void,
): void {
  const { body, status, headers } = answer;
  const begin = () => {
    response.sendDate = false;
    response.writeHead(status, replyHeaders(response, answer).flat());
  };
  const end = (rest: Buffer) => {
    beforeEnd();
    response.end(rest);
  };
  // A caller that gave up during a delay gets nothing more.
  const later = (ms: number, then: () => void) => pause(ms, () => response.destroyed || then());
  if (fault?.name === 'truncate') {
    begin();
    beforeEnd();
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
  } else if (fault?.name === 'split-reply') {
    begin();
    const third = Math.ceil(body.length / 3);
    response.write(body.subarray(0, third));
    later(fault.delay ?? 30, () => {
      response.write(body.subarray(third, 2 * third));
      later(fault.delay ?? 30, () => end(body.subarray(2 * third)));
    });
  } else if (fault?.name === 'trickle') {
    response.writeHead(status, headers.flat());
    const blank = () => {
      response.write(' ');
      later(TRICKLE_INTERVAL_MS, blank);
    };
    blank();
  } else if (fault?.name === 'late') {
    later(fault.delay ?? 1_000, () => {
      begin();
      end(body);
    });
  } else {
    begin();
    end(body);
  }
}

/** Pause (ms) between blanks, short enough that no idle timeout ends the connection. */
const TRICKLE_INTERVAL_MS = 100;

/** Keeps the headers except those of one connection; the length is that of the sent body. */
function replyHeaders({ req }: ServerResponse, { status, headers, body }: Answer): [string, string][] {
  const passed = headers.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()));
  const announced = headers.filter(([name]) => name.toLowerCase() === 'content-length');
  if (req.method === 'HEAD' || status === 304) return [...passed, ...announced];
  return status === 204 ? passed : [...passed, ['content-length', String(body.length)]];
}

function withId(answer: Answer, id: unknown): Answer {
  return changed(answer, (reply) => ({ ...reply, id }));
}

/** Changes the JSON object of an answer; passes any other answer unchanged. */
function changed(answer: Answer, change: (reply: { result?: unknown }) => object): Answer {
  const reply = tryJson(answer.body.toString('utf8'))?.value;
  const [first, ...others] = Array.isArray(reply) ? (reply as unknown[]) : [];
  // In a batch of one, the only reply is changed.
  const spoilt = isObject(reply) ? change(reply) : isObject(first) && others.length === 0 ? [change(first)] : undefined;
  return spoilt ? { ...answer, body: Buffer.from(JSON.stringify(spoilt)) } : answer;
}

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'upgrade',
  'proxy-connection',
]);

function isBatchOfOne(requestBody: string): boolean {
  return requestBody.trimStart().startsWith('[') && callsIn(requestBody).length === 1;
}

function idOf(requestBody: string): unknown {
  try {
    const value = JSON.parse(requestBody) as { id?: unknown } | { id?: unknown }[];
    const call = Array.isArray(value) && value.length === 1 ? value[0] : value;
    return (call as { id?: unknown } | null | undefined)?.id ?? null;
  } catch {
    // JSON-RPC answers an unreadable request with the id null.
    return null;
  }
}

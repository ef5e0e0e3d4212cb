/** Faults that the tap can inject in the EHR server's place, each as a way of answering one request. */
import type { ServerResponse } from 'node:http';
import type { FaultName } from '../journal/entry.ts';

export type Fault = {
  name: FaultName;
  /** For `refuse`: the JSON-RPC error that is answered. */
  error?: { code: number; message: string; data?: unknown };
  /** For `late` and `split-reply`: how long in milliseconds. */
  delay?: number;
  /** For `redirect`: where to. */
  location?: string;
};

export type Answer = { status: number; headers: [string, string][]; body: Buffer };

/** Runs `then` after `ms`, unless the tap was stopped meanwhile. */
export type Pause = (ms: number, then: () => void) => void;

/** Faults that the request must reach the server for: what is spoilt is the way back. */
export function reachesServer({ name }: Fault): boolean {
  return ['late', 'truncate', 'wrong-id', 'reply-lost', 'split-reply', 'number-id', 'string-id'].includes(name);
}

/** The answer given in the server's place; undefined where there is none to give. */
export function standIn(fault: Fault, requestBody: string): Answer | undefined {
  const json: [string, string][] = [['content-type', 'application/json; charset=utf-8']];
  switch (fault.name) {
    case 'not-json':
      return {
        status: 200,
        headers: [['content-type', 'text/html; charset=utf-8']],
        body: Buffer.from('<!doctype html><title>Maintenance</title><p>We will be back soon.'),
      };
    case 'http-500':
      return { status: 500, headers: json, body: Buffer.from('{"error":{"status":500,"reason":"internal_error"}}') };
    case 'redirect':
      return { status: 307, headers: [['location', fault.location ?? '/']], body: Buffer.alloc(0) };
    case 'refuse':
      return {
        status: 200,
        headers: json,
        body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', error: fault.error, id: idOf(requestBody) })),
      };
    default:
      return undefined;
  }
}

/** The server's answer as the fault changes it; an answer that is no JSON object has no id to be changed. */
export function spoil(fault: Fault, answer: Answer, requestBody: string): Answer {
  const id = idOf(requestBody);
  switch (fault.name) {
    case 'wrong-id':
      return withId(answer, typeof id === 'number' ? id + 1_000_003 : `${String(id)}-another`);
    case 'number-id':
      return withId(answer, typeof id === 'string' && id.trim() !== '' && !Number.isNaN(Number(id)) ? Number(id) : id);
    case 'string-id':
      return withId(answer, id === null ? null : String(id));
    default:
      return answer;
  }
}

/** Whether a request carries a call of this method, alone or in a batch. */
export function calls(requestBody: string, method: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(requestBody);
  } catch {
    // What is not JSON calls nothing.
    return false;
  }
  const found = Array.isArray(value) ? value : [value];
  return found.some((call) => typeof call === 'object' && call !== null && 'method' in call && call.method === method);
}

/**
 * Sends an answer; `truncate` announces the whole and sends half, `late` waits first, `split-reply` sends it in three
 * parts with pauses. `beforeEnd` is called when the last of it is about to be sent.
 */
export function send(
  response: ServerResponse,
  answer: Answer,
  fault: Fault | undefined,
  pause: Pause,
  beforeEnd: () => void,
): void {
  const { body, status } = answer;
  const begin = () => {
    response.sendDate = false;
    response.writeHead(status, replyHeaders(response, answer).flat());
  };
  const end = (rest: Buffer) => {
    beforeEnd();
    response.end(rest);
  };
  // A caller that gave up while the reply was held back is sent nothing any more.
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

/** The headers as they came, those apart that are about one connection; the length is that of what is sent now. */
function replyHeaders({ req }: ServerResponse, { status, headers, body }: Answer): [string, string][] {
  const passed = headers.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()));
  const announced = headers.filter(([name]) => name.toLowerCase() === 'content-length');
  if (req.method === 'HEAD' || status === 304) return [...passed, ...announced];
  return status === 204 ? passed : [...passed, ['content-length', String(body.length)]];
}

function withId(answer: Answer, id: unknown): Answer {
  let reply: unknown;
  try {
    reply = JSON.parse(answer.body.toString('utf8'));
  } catch {
    // No JSON: passed on as it is.
    return answer;
  }
  if (typeof reply !== 'object' || reply === null || Array.isArray(reply)) return answer;
  return { ...answer, body: Buffer.from(JSON.stringify({ ...reply, id })) };
}

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'upgrade',
  'proxy-connection',
]);

function idOf(requestBody: string): unknown {
  try {
    return (JSON.parse(requestBody) as { id?: unknown }).id ?? null;
  } catch {
    // An unreadable request is answered with the id null, as JSON-RPC has it.
    return null;
  }
}

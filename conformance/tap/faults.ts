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

export type Answer = { status: number; headers: [string, string][]; body: string };

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
        body: '<!doctype html><title>Maintenance</title><p>We will be back soon.',
      };
    case 'http-500':
      return { status: 500, headers: json, body: '{"error":{"status":500,"reason":"internal_error"}}' };
    case 'redirect':
      return { status: 307, headers: [['location', fault.location ?? '/']], body: '' };
    case 'refuse':
      return {
        status: 200,
        headers: json,
        body: JSON.stringify({ jsonrpc: '2.0', error: fault.error, id: idOf(requestBody) }),
      };
    default:
      return undefined;
  }
}

/** The server's answer as the fault changes it. */
export function spoil(fault: Fault, answer: Answer, requestBody: string): Answer {
  const withId = (id: unknown) => ({ ...answer, body: JSON.stringify({ ...(JSON.parse(answer.body) as object), id }) });
  const id = idOf(requestBody);
  switch (fault.name) {
    case 'wrong-id':
      return withId(typeof id === 'number' ? id + 1_000_003 : `${String(id)}-another`);
    case 'number-id':
      return withId(Number.isNaN(Number(id)) ? id : Number(id));
    case 'string-id':
      return withId(String(id));
    default:
      return answer;
  }
}

/** Sends an answer; `truncate` announces the whole and sends half, `split-reply` sends it in three parts with pauses. */
export function send(
  response: ServerResponse,
  answer: Answer,
  fault: Fault | undefined,
  pause: (ms: number, then: () => void) => void,
): void {
  const body = Buffer.from(answer.body, 'utf8');
  response.writeHead(
    answer.status,
    Object.fromEntries([
      ...answer.headers.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase())),
      ['content-length', String(body.length)],
    ]),
  );
  if (fault?.name === 'truncate') {
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy());
  } else if (fault?.name === 'split-reply') {
    const third = Math.ceil(body.length / 3);
    response.write(body.subarray(0, third));
    pause(fault.delay ?? 30, () => {
      response.write(body.subarray(third, 2 * third));
      pause(fault.delay ?? 30, () => response.end(body.subarray(2 * third)));
    });
  } else {
    response.end(body);
  }
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

/** What a server does to one call of a client instead of answering it. */
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import type { ExchangeEntry, FaultName } from '../journal/entry.ts';

export type Trouble =
  | { kind: 'refuse'; reason: Reason }
  | {
      kind: Extract<
        FaultName,
        | 'http-500'
        | 'http-429'
        | 'reset'
        | 'hang'
        | 'late'
        | 'reply-lost'
        | 'doubled'
        | 'not-json'
        | 'wrong-id'
        | 'truncate'
        | 'result-null'
        | 'no-result'
        | 'result-empty'
        | 'result-and-error'
        | 'array'
        | 'redirect'
      >;
    };

/** The two servers that a client calls. */
export type Callee = 'auth' | 'ehr';

/** How an HTTP answer leaves the kit: with a status and a body, cut in the middle, or not at all. */
export type Reply = { status: number; body: string; headers?: Record<string, string>; cut?: boolean };

/** Troubles for which the server carries out the call all the same. */
const AFTER_THE_CALL: ReadonlySet<Trouble['kind']> = new Set([
  ...['late', 'reply-lost', 'doubled', 'wrong-id', 'truncate', 'result-and-error'],
] as const satisfies readonly Trouble['kind'][]);

/** Whether the server carries out the call all the same. */
export const isCarriedOut = ({ kind }: Trouble): boolean => AFTER_THE_CALL.has(kind);

/** Late enough (ms) to be noticed, and well within any sensible timeout. */
const LATE_MS = 700;

/** How long (ms) the answer is held back. */
export const delayOf = ({ kind }: Trouble): number => (kind === 'late' ? LATE_MS : 0);

/**
 * Returns what the client gets; undefined when the connection is closed without an answer.
 * @param right what the server answered, where it carried out the call
 * @param elsewhere address to which a redirect leads
 */
export function spoil(trouble: Trouble, id: unknown, right: Reply, elsewhere: string): Reply | undefined {
  switch (trouble.kind) {
    case 'refuse':
      return reply({ error: errorOf(trouble.reason) }, id);
    case 'http-500':
      return { status: 500, body: 'Internal Server Error', headers: { 'content-type': 'text/plain' } };
    case 'http-429':
      return { status: 429, body: 'Too Many Requests', headers: { 'content-type': 'text/plain', 'retry-after': '1' } };
    case 'not-json':
      return { status: 200, body: '<html><body>Bad gateway</body></html>', headers: { 'content-type': 'text/html' } };
    case 'result-null':
      return reply({ result: null }, id);
    case 'no-result':
      return reply({}, id);
    case 'result-empty':
      return reply({ result: {} }, id);
    case 'array':
      return { status: 200, body: '[]' };
    case 'redirect':
      return { status: 307, body: '', headers: { location: elsewhere } };
    case 'doubled':
      return { ...right, body: `${right.body}${right.body}` };
    case 'wrong-id':
      return { ...right, body: withMembers(right.body, { id: 'an-id-of-another-call' }) };
    case 'result-and-error':
      return { ...right, body: withMembers(right.body, { error: errorOf('internal_error') }) };
    case 'truncate':
      return { ...right, cut: true };
    case 'late':
      return right;
    case 'reset':
    case 'reply-lost':
    case 'hang':
      return undefined;
  }
}

function errorOf(reason: Reason) {
  const { code, message } = errorTable[reason];
  return { code, message, data: { reason } };
}

const idText = (id: unknown) => (id === undefined || id === null ? null : String(id));

const reply = (members: object, id: unknown): Reply => ({
  status: 200,
  body: JSON.stringify({ jsonrpc: '2.0', ...members, id: idText(id) }),
});

function withMembers(body: string, members: object): string {
  try {
    return JSON.stringify({ ...JSON.parse(body), ...members });
  } catch {
    // The right reply is JSON; anything else is spoilt enough.
    return body;
  }
}

/** The label of the kit's observation that a client followed a redirect. */
export const SENT_ELSEWHERE = 'sent elsewhere';

/** How the journal calls the connection that a trouble broke. */
export function brokenBy({ kind }: Trouble): Pick<ExchangeEntry, 'broke'> {
  if (kind === 'hang') return { broke: 'timeout' };
  return kind === 'reset' || kind === 'reply-lost' || kind === 'truncate' ? { broke: 'closed-early' } : {};
}

/** What a server does to one call of a client instead of answering it. */
import { isObject } from '#protocol/wire/envelope.ts';
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import type { ExchangeEntry, FaultName } from '../../../engine/journal/entry.ts';

export type Trouble =
  /** `isBare`: the error has a number and a message alone, as servers of the field answer. */
  | { kind: 'refuse'; reason: Reason; isBare?: true }
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
        | 'replayed'
        | 'number-id'
        | 'more-members'
        | 'short-ttl'
        | 'long-ttl'
        | 'null-id'
      >;
    };

/** The two servers that a client calls. */
export type Callee = 'auth' | 'ehr';

/** How an HTTP answer leaves the kit: with a status and a body, cut in the middle, or not at all. */
export type Reply = { status: number; body: string; headers?: Record<string, string>; cut?: boolean };

/** Ways to answer that a right client does not notice. */
const MANNERS = [
  ...['number-id', 'more-members', 'short-ttl', 'long-ttl'],
] as const satisfies readonly Trouble['kind'][];

/** Troubles for which the server carries out the call all the same. */
const AFTER_THE_CALL: ReadonlySet<Trouble['kind']> = new Set([
  ...(['late', 'reply-lost', 'doubled', 'wrong-id', 'truncate', 'result-and-error', 'null-id'] as const),
  ...MANNERS,
]);

const UNDERSTOOD: ReadonlySet<Trouble['kind']> = new Set([
  ...(['refuse', 'late', 'doubled'] as const),
  ...MANNERS,
]);

/** Whether the client can know from the answer what the server says. */
export const isUnderstood = ({ kind }: Trouble): boolean => UNDERSTOOD.has(kind);

/** Whether the server carries out the call all the same. */
export const isCarriedOut = ({ kind }: Trouble): boolean => AFTER_THE_CALL.has(kind);

/** Late enough (ms) to be noticed, and well within any sensible timeout. */
const LATE_MS = 700;

/** How long (ms) the answer is held back. */
export const delayOf = ({ kind }: Trouble): number => (kind === 'late' ? LATE_MS : 0);

export type Spoilt = {
  id: unknown;
  /** What the server answered, where it carried out the call. */
  right: Reply;
  /** Address to which a redirect leads. */
  elsewhere: string;
  /** An earlier answer to a call of this method. */
  earlier: string | undefined;
};

/** Returns what the client gets; undefined when the connection is closed without an answer. */
export function spoil(trouble: Trouble, { id, right, elsewhere, earlier }: Spoilt): Reply | undefined {
  switch (trouble.kind) {
    case 'refuse':
      return reply({ error: errorOf(trouble.reason, trouble.isBare) }, id);
    case 'http-500':
      return HTTP_500;
    case 'http-429':
      return {
        status: 429,
        body: 'Too Many Requests',
        headers: { 'content-type': 'text/plain', 'retry-after': '1' },
      };
    case 'not-json':
      return {
        status: 200,
        body: '<html><body>Bad gateway</body></html>',
        headers: { 'content-type': 'text/html' },
      };
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
    case 'replayed':
      return earlier === undefined ? HTTP_500 : { status: 200, body: withOtherId(earlier, id) };
    case 'number-id':
      return typeof id === 'number' ? { ...right, body: withMembers(right.body, { id }) } : right;
    case 'more-members':
      return { ...right, body: withMore(right.body) };
    case 'short-ttl':
      return { ...right, body: changed(right.body, withTtl(1)) };
    case 'long-ttl':
      return { ...right, body: changed(right.body, withTtl(TEN_YEARS_MINUTES)) };
    case 'null-id':
      return { ...right, body: withMembers(right.body, { id: null }) };
    case 'late':
      return right;
    case 'reset':
    case 'reply-lost':
    case 'hang':
      return undefined;
  }
}

const HTTP_500: Reply = {
  status: 500,
  body: 'Internal Server Error',
  headers: { 'content-type': 'text/plain' },
};

function errorOf(reason: Reason, isBare = false) {
  const { code, message } = errorTable[reason];
  return { code, message, ...(!isBare && { data: { reason } }) };
}

const idText = (id: unknown) => (id === undefined || id === null ? null : String(id));

const reply = (members: object, id: unknown): Reply => ({
  status: 200,
  body: JSON.stringify({ jsonrpc: '2.0', ...members, id: idText(id) }),
});

/** An answer as it once was, which is of another call than this one. */
function withOtherId(body: string, id: unknown): string {
  const { id: former } = JSON.parse(body) as { id: unknown };
  return String(former) === String(id) ? withMembers(body, { id: 'an-id-of-another-call' }) : body;
}

/** Changes the result of an answer that has one. */
function changed(body: string, change: (result: Record<string, unknown>) => object): string {
  const { result } = JSON.parse(body) as { result?: Record<string, unknown> };
  return result ? withMembers(body, { result: change(result) }) : body;
}

/** Adds members that this project does not know, as servers of another make have them. */
function withMore(body: string): string {
  const more = { servedBy: 'another make', tags: ['a', 'b'] };
  const inRecord = ({ patient, ...rest }: Record<string, unknown>) =>
    isObject(patient) ? { ...rest, patient: { ...patient, ...more } } : rest;
  return withMembers(
    changed(body, (result) => ({ ...inRecord(result), ...more })),
    more,
  );
}

const withTtl =
  (ttl: number) =>
  ({ authInfo, ...rest }: Record<string, unknown>) => ({
    ...rest,
    ...(isObject(authInfo) && { authInfo: { ...authInfo, ttl } }),
  });

/** The longest ttl that servers take unless told otherwise. */
const TEN_YEARS_MINUTES = 5_256_000;

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

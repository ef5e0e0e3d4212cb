/** What a server does to one call of a client instead of answering it. */
import { isObject } from '#protocol/wire/envelope.ts';
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import { type Answer, type Fault, replying, type Spoil } from '../../../engine/wire/faults.ts';

/** A refusal. `isBare`: the error has a number and a message alone, as servers of the field answer. */
type Refusal = { refuse: Reason; isBare?: true };

/** What a made-up answer depends on. */
type TroubledCall = {
  id: unknown;
  /** Address to which a redirect leads. */
  elsewhere: string;
  /** An earlier answer to a call of this method. */
  earlier: string | undefined;
};

const text = (status: number, type: string, body: string, ...more: [string, string][]): Answer => ({
  status,
  headers: [['content-type', type], ...more],
  body: Buffer.from(body),
});

/** Replies carry the id as a text. */
const reply = (members: object, id: unknown): Answer => {
  const idText = id === undefined || id === null ? null : String(id);
  return text(200, 'application/json', JSON.stringify({ jsonrpc: '2.0', ...members, id: idText }));
};

const http500 = () => text(500, 'text/plain', 'Internal Server Error');

/** The server does not carry out the call, and answers this. */
const INSTEAD = {
  'http-500': http500,
  'http-429': () => text(429, 'text/plain', 'Too Many Requests', ['retry-after', '1']),
  'not-json': () => text(200, 'text/html', '<html><body>Bad gateway</body></html>'),
  array: () => text(200, 'application/json', '[]'),
  'result-null': ({ id }: TroubledCall) => reply({ result: null }, id),
  'no-result': ({ id }: TroubledCall) => reply({}, id),
  'result-empty': ({ id }: TroubledCall) => reply({ result: {} }, id),
  redirect: ({ elsewhere }: TroubledCall) => text(307, 'text/plain', '', ['location', elsewhere]),
  replayed: ({ earlier, id }: TroubledCall) =>
    earlier === undefined ? http500() : text(200, 'application/json', withOtherId(earlier, id)),
} satisfies Partial<Record<Fault['name'], (call: TroubledCall) => Answer>>;

const OTHER_ID = 'an-id-of-another-call';

/** An answer as it once was, which is of another call than this one. */
function withOtherId(body: string, id: unknown): string {
  const answer = JSON.parse(body) as { id: unknown };
  return String(answer.id) === String(id) ? JSON.stringify({ ...answer, id: OTHER_ID }) : body;
}

const withTtl = (ttl: number) =>
  replying((answer) => {
    const { authInfo, ...rest } = Object(answer.result);
    return isObject(authInfo) ? { ...answer, result: { ...rest, authInfo: { ...authInfo, ttl } } } : answer;
  });

/** The longest ttl that servers take unless told otherwise. */
const TEN_YEARS_MINUTES = 5_256_000;

/** Members that this project does not know, as servers of another make have them. */
const MORE = { servedBy: 'another make', tags: ['a', 'b'] };

/** The server carries out the call, and its answer becomes this. */
const CHANGED = {
  doubled: ({ body, ...answer }) => ({ ...answer, body: Buffer.concat([body, body]) }),
  'wrong-id': replying((answer) => ({ ...answer, id: OTHER_ID })),
  'null-id': replying((answer) => ({ ...answer, id: null })),
  'number-id': replying((answer, id) => (typeof id === 'number' ? { ...answer, id } : answer)),
  'result-and-error': replying((answer) => ({ ...answer, error: errorOf('internal_error') })),
  'more-members': replying(({ result, ...answer }) => {
    const { patient, ...rest } = Object(result);
    const more = { ...rest, ...(isObject(patient) && { patient: { ...patient, ...MORE } }), ...MORE };
    return { ...answer, ...(isObject(result) && { result: more }), ...MORE };
  }),
  'short-ttl': withTtl(1),
  'long-ttl': withTtl(TEN_YEARS_MINUTES),
} satisfies Partial<Record<Fault['name'], Spoil>>;

type Instead = keyof typeof INSTEAD;
type Changed = keyof typeof CHANGED;
export type TroubleName = Instead | Changed | 'reset' | 'hang' | 'late' | 'reply-lost' | 'truncate';
export type Trouble = TroubleName | Refusal;

/** Troubles after which the client knows what the server says. */
const UNDERSTOOD: ReadonlySet<Fault['name']> = new Set([
  ...(['refuse', 'late', 'doubled', 'number-id', 'more-members', 'short-ttl', 'long-ttl'] as const),
]);

/** Whether the client can know from the answer what the server says. */
export const isUnderstood = (fault: Fault | undefined): boolean => !fault || UNDERSTOOD.has(fault.name);

/** Late enough (ms) to be noticed, and well within any sensible timeout. */
const LATE_MS = 700;

/** What the recording proxy does for a trouble. */
export function faultFor(trouble: Trouble, about: () => Omit<TroubledCall, 'id'>): Fault {
  if (typeof trouble !== 'string') {
    const error = errorOf(trouble.refuse, trouble.isBare);
    return { name: 'refuse', standIn: (id) => reply({ error }, id) };
  }
  if (trouble in CHANGED) return { name: trouble, spoil: CHANGED[trouble as Changed] };
  if (!(trouble in INSTEAD)) return { name: trouble, delay: LATE_MS };
  return { name: trouble, standIn: (id) => INSTEAD[trouble as Instead]({ id, ...about() }) };
}

function errorOf(reason: Reason, isBare = false) {
  const { code, message } = errorTable[reason];
  return { code, message, ...(!isBare && { data: { reason } }) };
}

/** The label of the kit's observation that a client followed a redirect. */
export const SENT_ELSEWHERE = 'sent elsewhere';

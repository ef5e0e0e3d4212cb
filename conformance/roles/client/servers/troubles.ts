/** What a client gets for one call in the place of the right answer. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { isObject } from '#protocol/wire/envelope.ts';
import { errorTable, type Reason } from '#protocol/wire/errors.ts';
import { isNumber, tryJson, writeJson } from '#protocol/wire/json.ts';
import { type Answer, type Fault, replying, type Spoil } from '../../../engine/wire/faults.ts';

/** `isBare`: code and message alone, as servers in use today answer. `code` stands for the number. */
type Refusal = { refuse: Reason; isBare?: true; code?: OddCode };

export const oddCodes = ['text', 'null', 'absent'] as const;
type OddCode = (typeof oddCodes)[number];

type TroubledCall = {
  id: unknown;
  /** The address to which a redirect leads, which the client must not call. */
  elsewhere: string;
  /** The body of an earlier answer to a call of this method; undefined: there was none. */
  earlier: string | undefined;
};

const text = (status: number, type: string, body: string, ...more: [string, string][]): Answer => ({
  status,
  headers: [['content-type', type], ...more],
  body: utf8ToBytes(body),
});

/** A JSON-RPC reply. It carries the id as a text, whatever type the client sent. */
const reply = (members: object, id: unknown): Answer => {
  const idText = id === undefined || id === null ? null : String(id);
  return text(200, 'application/json', JSON.stringify({ jsonrpc: '2.0', ...members, id: idText }));
};

const http500 = () => text(500, 'text/plain', 'Internal Server Error');

const INSTEAD = {
  'http-500': http500,
  'not-json': () => text(200, 'text/html', '<html><body>Bad gateway</body></html>'),
  'result-null': ({ id }: TroubledCall) => reply({ result: null }, id),
  'no-result': ({ id }: TroubledCall) => reply({}, id),
  'result-empty': ({ id }: TroubledCall) => reply({ result: {} }, id),
  redirect: ({ elsewhere }: TroubledCall) => text(307, 'text/plain', '', ['location', elsewhere]),
  replayed: ({ earlier, id }: TroubledCall) =>
    earlier === undefined ? http500() : text(200, 'application/json', withOtherId(earlier, id)),
} satisfies Partial<Record<Fault['name'], (call: TroubledCall) => Answer>>;

const OTHER_ID = 'an-id-of-another-call';

/** An earlier answer that is not for this call, even where the client uses the same id for both calls. */
function withOtherId(body: string, id: unknown): string {
  const answer = tryJson(body)?.value as { id: unknown };
  return String(answer.id) === String(id) ? writeJson({ ...answer, id: OTHER_ID }) : body;
}

const MORE = { servedBy: 'another make', tags: ['a', 'b'] };

const CHANGED = {
  'wrong-id': replying((answer) => ({ ...answer, id: OTHER_ID })),
  'null-id': replying((answer) => ({ ...answer, id: null })),
  'number-id': replying((answer, id) => (isNumber(id) ? { ...answer, id } : answer)),
  'result-and-error': replying((answer) => ({ ...answer, error: errorOf('internal_error') })),
  'more-members': replying(({ result, ...answer }) => {
    const { patient, ...rest } = Object(result);
    const more = { ...rest, ...(isObject(patient) && { patient: { ...patient, ...MORE } }), ...MORE };
    return { ...answer, ...(isObject(result) && { result: more }), ...MORE };
  }),
} satisfies Partial<Record<Fault['name'], Spoil>>;

type Instead = keyof typeof INSTEAD;
type Changed = keyof typeof CHANGED;
/** All troubles. Those that stand in neither table are done by the recording proxy itself. */
export type TroubleName = Instead | Changed | 'reset' | 'hang' | 'late' | 'reply-lost' | 'truncate';
export type Trouble = TroubleName | 'held' | Refusal;

/** Troubles after which the client still learns from the answer what the server has done. */
const UNDERSTOOD: ReadonlySet<Fault['name']> = new Set(['refuse', 'late', 'number-id', 'more-members']);

export const isUnderstood = (fault: Fault | undefined): boolean => !fault || UNDERSTOOD.has(fault.name);

/** The delay (ms) of the trouble `held`: a person can do something else before the reply comes. */
export const HELD_MS = 1_500;
/** The delay (ms) of the trouble `late`: long enough to be noticed, and within any sensible timeout. */
const LATE_MS = 700;

/** `about` is called when the trouble happens: an earlier answer may come after it was armed. */
export function faultFor(trouble: Trouble, about: () => Omit<TroubledCall, 'id'>): Fault {
  if (typeof trouble !== 'string') {
    const error = errorOf(trouble.refuse, trouble);
    return { name: 'refuse', standIn: (id) => reply({ error }, id) };
  }
  if (trouble === 'held') return { name: 'late', delay: HELD_MS };
  if (trouble in CHANGED) return { name: trouble, spoil: CHANGED[trouble as Changed] };
  if (!(trouble in INSTEAD)) return { name: trouble, delay: LATE_MS };
  return { name: trouble, standIn: (id) => INSTEAD[trouble as Instead]({ id, ...about() }) };
}

function errorOf(reason: Reason, { isBare, code }: Omit<Refusal, 'refuse'> = {}) {
  const { code: number, message } = errorTable[reason];
  const codes = { text: reason, null: null, absent: undefined };
  return { code: code ? codes[code] : number, message, ...(isBare ? {} : { data: { reason } }) };
}

/** The label of the observation that a client followed a redirect. */
export const SENT_ELSEWHERE = 'sent elsewhere';

/** Defects of an EHR server in HTTP, in what it takes for a call, and in replies, errors and refusals. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import { tryJson } from '#protocol/wire/json.ts';
import { ANY, refused } from '../../../../engine/defects/operators.ts';
import {
  type Members,
  membersOf,
  no,
  type RpcCall,
  replyIdOf,
  yes,
} from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange, EhrServerParts } from '../../self-test/serve.ts';
import {
  AUTHENTICATE,
  after,
  aMoment,
  around,
  before,
  both,
  defect,
  inError,
  inRecords,
  inResults,
  instead,
  READ,
  RECORDS,
  REMOVALS,
  SAVE,
  saysYes,
  success,
} from '../changes.ts';

export type Asked = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer };

export type Answered = { status: number; headers: Record<string, string>; body: string };

export const bodyOf = (text: string | undefined): unknown =>
  text === undefined ? undefined : tryJson(text)?.value;

export const answersBodies = (answer: (text: string) => string | undefined): EhrChange => ({
  pipeline: (pipeline) => (text, channel) => {
    const body = answer(text);
    return body === undefined ? pipeline(text, channel) : { body };
  },
});

export const inBatches = (
  change: (calls: RpcCall[], parts: EhrServerParts) => unknown[] | undefined | Promise<unknown[] | undefined>,
): EhrChange => ({
  pipeline: (pipeline, parts) => async (text, channel) => {
    const calls = bodyOf(text);
    const isBatch = Array.isArray(calls) && calls.every(isObject);
    const changed = isBatch ? await change(calls as RpcCall[], parts) : undefined;
    return pipeline(changed ? JSON.stringify(changed) : text, channel);
  },
});

const inAnswers = (change: (value: unknown) => unknown): EhrChange => ({
  pipeline: (pipeline) => async (text, channel) => {
    const { body } = await pipeline(text, channel);
    return { body: body === undefined ? undefined : JSON.stringify(change(JSON.parse(body))) };
  },
});

export const inBatchReplies = (change: (replies: Members[]) => unknown): EhrChange =>
  inAnswers((value) => (Array.isArray(value) ? change(value) : value));

const inReplies = (change: (reply: Members) => unknown): EhrChange =>
  inAnswers((value) => (isObject(value) ? change(value) : value));

export const inErrors = (change: (error: Members) => unknown): EhrChange =>
  inReplies((reply) => ('error' in reply ? { ...reply, error: change(membersOf(reply.error)) } : reply));

type Channel = 'public' | 'internal';

export function inRequests(
  change: (asked: Asked, channel: Channel, connection: object) => Partial<Asked>,
): EhrChange {
  return {
    http: (listener, channel) => (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        const asked = { method, url, headers, body: Buffer.concat(chunks) };
        listener(requestOf({ ...asked, ...change(asked, channel, request.socket) }, request), response);
      });
    },
  };
}

/** The right server reads a stream with these members: it is cast to a request. */
function requestOf({ body, ...head }: Asked, { socket }: IncomingMessage): IncomingMessage {
  const headers = { ...head.headers, 'content-length': String(body.length) };
  const source = Readable.from(body.length === 0 ? [] : [body]);
  return Object.assign(source, { ...head, headers, socket }) as unknown as IncomingMessage;
}

export function inResponses(
  change: (answered: Answered, request: IncomingMessage) => Partial<Answered>,
): EhrChange {
  return {
    http: (listener) => (request, response) => {
      capture(response, (answered) => ({ ...answered, ...change(answered, request) }));
      listener(request, response);
    },
  };
}

/** Holds a response back until it is complete, and sends what `change` makes of it. */
function capture(response: ServerResponse, change: (answered: Answered) => Answered): void {
  const send = { head: response.writeHead.bind(response), end: response.end.bind(response) };
  const headers: Record<string, string> = {};
  const chunks: Buffer[] = [];
  const take = (chunk: unknown) => {
    // `end` may be called without a chunk. The cast is for one of the types that `from` takes.
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string));
  };
  const write = (chunk: unknown) => {
    take(chunk);
    return true;
  };
  const writeHead = (status: number, ...rest: unknown[]) => {
    response.statusCode = status;
    // The headers are the last argument; a text before them is the reason phrase.
    Object.assign(headers, headersIn(rest.at(-1)));
    return response;
  };
  const end = (chunk?: unknown) => {
    take(chunk);
    const own = { ...headersIn(response.getHeaders()), ...headers };
    const body = Buffer.concat(chunks).toString();
    const sent = change({ status: response.statusCode, headers: own, body });
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    const others = Object.fromEntries(
      Object.entries(sent.headers).filter(([name]) => name.toLowerCase() !== 'content-length'),
    );
    send.head(sent.status, {
      ...others,
      ...(sent.status !== 204 && { 'content-length': Buffer.byteLength(sent.body) }),
    });
    send.end(sent.body);
    return response;
  };
  Object.assign(response, { writeHead, end, write });
}

function headersIn(given: unknown): Record<string, string> {
  if (typeof given !== 'object' || given === null) return {};
  const pairs = Array.isArray(given)
    ? Array.from({ length: given.length / 2 }, (_, index) => [given[index * 2], given[index * 2 + 1]])
    : Object.entries(given);
  return Object.fromEntries(pairs.map(([name, value]) => [String(name).toLowerCase(), String(value)]));
}

/** Allow the origin that `allowed` returns; undefined: answer as the right server does. */
const allowsOrigin = (allowed: (asked: string) => string | undefined): EhrChange =>
  inResponses(({ headers }, request) => {
    const asked = request.headers.origin;
    const origin = asked === undefined ? undefined : allowed(asked);
    if (origin === undefined) return {};
    const allow = { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' };
    return { headers: { ...headers, ...allow } };
  });

export const httpDefects = [
  defect('json-types-taken', 'charset-refused', {
    title: 'A type that names a charset is refused',
    http: (listener) => (request, response) => {
      if (!request.headers['content-type']?.includes(';')) return listener(request, response);
      request.resume();
      response.writeHead(415, { 'content-type': 'application/json' }).end('{}');
    },
  }),
  defect('origin-allowed', 'origin-not-named', {
    title: 'Any origin is allowed by an asterisk',
    ...allowsOrigin(() => '*'),
  }),
  defect('other-origin-refused', 'any-origin-reflected', {
    title: 'Every origin is reflected, with credentials',
    ...allowsOrigin((asked) => asked),
  }),
];

/** `isFirst`: the cookie counts before the cred; otherwise only where the call has no cred. */
const takesCookie = (name: string, isFirst = false): EhrChange => ({
  ...before(READ, ({ call, seen }) => {
    const session = seen.sessions.find(({ token }) => token === call.tokenOfCookie);
    return session && (isFirst || call.cred === undefined) ? { ...call, cred: session } : undefined;
  }),
  ...inRequests(({ headers: { cookie = '' }, body }) => {
    const call = bodyOf(body.toString());
    const tokenOfCookie = new RegExp(`(?:^|; )${name}=([^;]*)`).exec(cookie)?.[1];
    if (tokenOfCookie === undefined || !isObject(call)) return {};
    return { body: Buffer.from(JSON.stringify({ ...(call as Members), tokenOfCookie })) };
  }),
});

export const headerDefects = [
  defect('cookies-open-nothing', 'cookie-reads', {
    title: 'get_patient without a cred takes the session of a cookie',
    ...takesCookie('token'),
  }),
  defect('headers-choose-nobody', 'cookie-before-cred', {
    title: 'A cookie counts before the cred of the call',
    ...takesCookie('sid', true),
  }),
  defect('replies-are-whole', 'length-in-letters', {
    title: 'The length of a reply is counted in letters, and the rest is cut',
    ...inResponses(({ body }) => ({ body: Buffer.from(body).subarray(0, body.length).toString() })),
    playing: ['names-keep-their-letters'],
  }),
];

/** A scenario with a success and a refusal, which is enough to see a fault of every reply. */
const WALK = ['exchange-token-used-once'];

export const wireDefects = [
  defect('replies-carry-own-id', 'ids-of-last-call', {
    title: 'A reply carries the id of the call that came last',
    ...around(ANY, async ({ call, parts, seen, next }) => {
      const ids = seen.notes<string | null>('ids');
      ids.set('last', replyIdOf(call));
      await aMoment(parts);
      const reply = await next();
      return reply && { ...reply, id: ids.get('last') };
    }),
    playing: ['token-stored-once-at-once'],
  }),
  defect('replies-carry-own-id', 'ids-of-call-before', {
    title: 'An error carries the id of the call before it',
    ...around(ANY, async ({ call, seen, next }) => {
      const ids = seen.notes<string | null>('ids');
      const before = ids.get('last') ?? replyIdOf(call);
      ids.set('last', replyIdOf(call));
      const reply = await next();
      return reply && 'error' in reply ? { ...reply, id: before } : reply;
    }),
    playing: WALK,
  }),
  defect('outcomes-are-http-200', 'errors-as-status', {
    title: 'Errors of a call are answered with HTTP 400',
    ...inResponses(({ status, body }) => ({ status: body.includes('"error":{"code"') ? 400 : status })),
    playing: WALK,
  }),
  defect('result-or-error', 'without-jsonrpc', {
    title: 'Replies lack jsonrpc',
    ...inReplies(({ jsonrpc: _version, ...reply }) => reply),
    playing: WALK,
  }),
  defect('shape-of-errors', 'codes-as-text', {
    title: 'The code of an error is a text',
    ...inErrors((error) => ({ ...error, code: String(error.code) })),
    playing: WALK,
  }),
  defect('errors-tell-no-secrets', 'cause-in-error', {
    title: 'A cred that is no object is an internal error, whose text is the cause',
    ...instead(
      ({ call }) => typeof call.cred === 'string',
      () => ({ error: { code: -32603, message: `Can't use "a" as a HASH ref at ehr.pl line 12.` } }),
    ),
    playing: ['odd-bodies-answered'],
  }),
  defect('errors-tell-no-secrets', 'token-in-error', {
    title: 'An error repeats the token of the cred',
    ...after(refused(ANY), ({ reply, cred }) => inError(reply, { message: `No session ${cred.token}` })),
    playing: ['no-session-no-data'],
  }),
  defect('no-secrets-in-output', 'calls-logged', {
    title: 'It logs each call as it comes',
    ...before(ANY, ({ call, parts }) => void parts.print(JSON.stringify(call))),
  }),
  defect('no-secrets-in-output', 'replies-logged-in-base64', {
    title: 'It logs the reply with the record in base64',
    ...after(RECORDS, ({ reply, parts }) => {
      parts.print(Buffer.from(JSON.stringify(reply), 'utf8').toString('base64'));
    }),
  }),
];

/** Several defects have the same change: each is found by another check. */
export const wavedDefects = [
  defect('foreign-session-not-opened', 'foreign-session-opened', {
    title: "authenticate opens a session whose token has become another user's",
    ...saysYes(AUTHENTICATE, 'token_already_stored'),
  }),
  defect('exchange-token-unknown', 'any-exchange-token-opens', {
    title: 'The exchange token of authenticate is never looked up',
    ...saysYes(AUTHENTICATE, 'exchange_token_unknown'),
  }),
  defect('repeated-save-refused', 'repeated-save-acknowledged', {
    title: 'A repeated save of a session is acknowledged',
    ...saysYes(SAVE, 'token_already_stored'),
  }),
  defect('token-unique-across-users', 'token-unique-per-user', {
    title: 'The same session token is stored for several users',
    ...saysYes(SAVE, 'token_already_stored'),
  }),
  defect('expired-session-stays-over', 'expired-token-saved-again', {
    title: 'The token of an expired session is saved once more',
    ...saysYes(SAVE, 'token_already_stored'),
  }),
  defect('unknown-user-not-saved', 'unknown-user-saved', {
    title: 'A session is saved for a user who was never linked',
    ...saysYes(SAVE, 'user_unknown'),
  }),
  defect('expired-session-not-revived', 'session-without-end', {
    title: 'The ttl of a session is stored, and never compared',
    ...saysYes(READ, 'session_expired'),
  }),
  defect('save-digest-verified', 'strangers-save', {
    title: 'save_auth_info takes a cred of any user and any digest',
    ...saysYes(SAVE, 'not_authorized'),
  }),
  defect('medcard-strategy', 'card-need-not-fit', {
    title: 'With MEDCARD any phone finds a patient',
    ...saysYes(AUTHENTICATE, 'patient_not_matched'),
  }),
];

export const error = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });

export const envelopeDefects = [
  defect('no-sign-in-of-its-own', 'own-sign-in', {
    title: 'Users sign in at the EHR server itself',
    ...instead(['auth.login', 'auth.request_otp', 'auth.confirm_otp'], () => yes({ token: 'a' })),
  }),
  defect('no-sign-in-of-its-own', 'lists-sessions', {
    title: 'A method lists the sessions of any user',
    ...instead(['embedded_storage.list'], () => yes([{ token: 'a' }])),
  }),
  defect('doubled-member-opens-nothing', 'doubled-member-stored', {
    title: 'Of two exchange tokens one is verified, and the other is stored',
    ...both(
      before(ANY, ({ text, seen }) => {
        const tokens = [...text.matchAll(/"exchangeToken":"([^"]*)"/g)].map(([, token]) => token);
        for (const token of tokens.length > 1 ? tokens : []) seen.notes('doubled').set(token, true);
      }),
      instead(AUTHENTICATE, (turn) =>
        turn.seen.notes('doubled').has(turn.params.exchangeToken) ? success(turn) : undefined,
      ),
    ),
  }),
  defect('odd-bodies-answered', 'null-in-list-fails', {
    title: 'A list of null makes the server fail',
    ...answersBodies((text) => (text === '[null]' ? error(-32603, 'Internal error') : undefined)),
  }),
  defect('odd-bodies-answered', 'text-as-params-fails', {
    title: 'Params that are a text make the server fail',
    ...instead(
      ({ call }) => typeof call.params === 'string',
      () => no('internal_error'),
    ),
  }),
  defect('id-returned', 'id-zero-lost', {
    title: 'A call of the id 0 is answered with the id null',
    ...inReplies((reply) => (reply.id === '0' ? { ...reply, id: null } : reply)),
  }),
  defect('late-calls-refused', 'late-save-fails', {
    title: 'A save of a stored token is an internal error',
    ...after(refused(SAVE, 'token_already_stored'), () => no('internal_error')),
  }),
];

export const recordDefects = [
  defect('read-has-record-and-sign', 'read-without-sign', {
    title: 'get_patient tells no user_sign',
    ...inResults(READ, ({ user_sign: _sign, userSign: _too, ...result }) => result),
  }),
  defect('members-of-record', 'record-without-phones', {
    title: 'The record lacks a published member',
    ...inRecords(({ phones: _phones, ...record }) => record),
  }),
  defect('types-of-record', 'birthdate-of-its-own-form', {
    title: 'The birthdate of the record is written day first',
    ...inRecords((record) => ({ ...record, birthdate: '12.04.1985' })),
  }),
  defect('names-keep-their-letters', 'names-in-latin-1', {
    title: 'Letters that Latin-1 lacks become question marks in the record',
    ...inRecords((record) => {
      const { name, surname } = record;
      const inLatin1 = (text: unknown) => String(text).replace(/[^\x20-\u00FF]/gu, '?');
      return { ...record, name: inLatin1(name), surname: inLatin1(surname) };
    }),
  }),
  defect('record-agrees-with-match', 'record-of-another', {
    title: 'The record is that of another patient',
    ...inRecords(({ id }) => ({ ...allPersonaPatients.find((patient) => patient.id !== id) })),
  }),
  defect('removals-return-nothing', 'removals-say-ok', {
    title: 'The removals result in a member of their own',
    ...inResults(REMOVALS, () => ({ ok: true })),
  }),
];

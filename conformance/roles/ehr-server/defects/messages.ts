/** Defects of an EHR server in HTTP, in what it takes for a call, and in replies, errors and refusals. */
import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import { ANY, refused } from '../../../engine/defects/operators.ts';
import { no, replyIdOf, yes } from '../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../self-test/serve.ts';
import {
  AUTHENTICATE,
  acceptsRefused,
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
  success,
} from './changes.ts';
import { answersBodies, byRequest, errorText, inErrors, inReplies, inResponses } from './message-changes.ts';

/** Allow the origin that `allowed` returns; undefined: answer as the right server does. */
const allowsOrigin = (allowed: (asked: string) => string | undefined): EhrChange =>
  inResponses(({ headers }, request) => {
    const asked = request.headers.origin;
    const origin = asked === undefined ? undefined : allowed(asked);
    if (origin === undefined) return {};
    const allow = { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' };
    return { headers: { ...headers, ...allow } };
  });

/** `isFirst`: the cookie counts before the cred; otherwise only where the call has no cred. */
const takesCookie = (name: string, isFirst = false): EhrChange => ({
  ...before(READ, ({ call, seen }) => {
    const session = seen.sessions.find(({ token }) => token === call.tokenOfCookie);
    return session && (isFirst || call.cred === undefined) ? { ...call, cred: session } : undefined;
  }),
  ...byRequest((call, { headers: { cookie = '' } }) => {
    const tokenOfCookie = new RegExp(`(?:^|; )${name}=([^;]*)`).exec(cookie)?.[1];
    return tokenOfCookie === undefined ? undefined : { ...call, tokenOfCookie };
  }),
});

/** A scenario with a success and a refusal, which is enough to see a fault of every reply. */
const WALK = ['exchange-token-used-once'];

export const messageDefects = [
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
    ...answersBodies((text) => (text === '[null]' ? errorText(-32603, 'Internal error') : undefined)),
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
  // Several of the next ones have the same change: each is found by another check.
  defect('foreign-session-not-opened', 'foreign-session-opened', {
    title: "authenticate opens a session whose token has become another user's",
    ...acceptsRefused(AUTHENTICATE, 'token_already_stored'),
  }),
  defect('exchange-token-unknown', 'any-exchange-token-opens', {
    title: 'The exchange token of authenticate is never looked up',
    ...acceptsRefused(AUTHENTICATE, 'exchange_token_unknown'),
  }),
  defect('repeated-save-refused', 'repeated-save-acknowledged', {
    title: 'A repeated save of a session is acknowledged',
    ...acceptsRefused(SAVE, 'token_already_stored'),
  }),
  defect('token-unique-across-users', 'token-unique-per-user', {
    title: 'The same session token is stored for several users',
    ...acceptsRefused(SAVE, 'token_already_stored'),
  }),
  defect('expired-session-stays-over', 'expired-token-saved-again', {
    title: 'The token of an expired session is saved once more',
    ...acceptsRefused(SAVE, 'token_already_stored'),
  }),
  defect('unknown-user-not-saved', 'unknown-user-saved', {
    title: 'A session is saved for a user who was never linked',
    ...acceptsRefused(SAVE, 'user_unknown'),
  }),
  defect('expired-session-not-revived', 'session-without-end', {
    title: 'The ttl of a session is stored, and never compared',
    ...acceptsRefused(READ, 'session_expired'),
  }),
  defect('save-digest-verified', 'strangers-save', {
    title: 'save_auth_info takes a cred of any user and any digest',
    ...acceptsRefused(SAVE, 'not_authorized'),
  }),
  defect('medcard-strategy', 'card-need-not-fit', {
    title: 'With MEDCARD any phone finds a patient',
    ...acceptsRefused(AUTHENTICATE, 'patient_not_matched'),
  }),
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

/** Defects of an EHR server in what it takes for a call, in replies and errors, and in refusals. */
import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import { ANY, refused } from '../../../../engine/defects/operators.ts';
import { no, replyIdOf, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import {
  AUTHENTICATE,
  after,
  aMoment,
  around,
  before,
  both,
  foundBy,
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
import { answersBodies, inErrors, inReplies, inResponses } from './http-defects.ts';

/** A scenario with a success and a refusal, which is enough to see a fault of every reply. */
const WALK = ['exchange-token-used-once'];

export const wireDefects = foundBy({
  'replies-carry-own-id': [
    'ids-of-last-call: A reply carries the id of the call that came last',
    around(ANY, async ({ call, parts, seen, next }) => {
      const ids = seen.notes<string | null>('ids');
      ids.set('last', replyIdOf(call));
      await aMoment(parts);
      const reply = await next();
      return reply && { ...reply, id: ids.get('last') };
    }),
    { playing: ['token-stored-once-at-once'] },
    'ids-of-call-before: An error carries the id of the call before it',
    around(ANY, async ({ call, seen, next }) => {
      const ids = seen.notes<string | null>('ids');
      const before = ids.get('last') ?? replyIdOf(call);
      ids.set('last', replyIdOf(call));
      const reply = await next();
      return reply && 'error' in reply ? { ...reply, id: before } : reply;
    }),
    { playing: WALK },
  ],
  'outcomes-are-http-200': [
    'errors-as-status: Errors of a call are answered with HTTP 400',
    inResponses(({ status, body }) => ({ status: body.includes('"error":{"code"') ? 400 : status })),
    { playing: WALK },
  ],
  'result-or-error': [
    'without-jsonrpc: Replies lack jsonrpc',
    inReplies(({ jsonrpc: _version, ...reply }) => reply),
    { playing: WALK },
  ],
  'shape-of-errors': [
    'codes-as-text: The code of an error is a text',
    inErrors((error) => ({ ...error, code: String(error.code) })),
    { playing: WALK },
  ],
  'errors-tell-no-secrets': [
    'token-in-error: An error repeats the token of the cred',
    after(refused(ANY), ({ reply, cred }) => inError(reply, { message: `No session ${cred.token}` })),
    { playing: ['no-session-no-data'] },
  ],
  'no-secrets-in-output': [
    'calls-logged: It logs each call as it comes',
    before(ANY, ({ call, parts }) => {
      parts.print(JSON.stringify(call));
      return undefined;
    }),
    'replies-logged-in-base64: It logs the reply with the record in base64',
    after(RECORDS, ({ reply, parts }) => {
      parts.print(Buffer.from(JSON.stringify(reply), 'utf8').toString('base64'));
      return undefined;
    }),
  ],
});

/** Several defects have the same change: each is found by another check. */
export const wavedDefects = foundBy({
  'foreign-session-not-opened': [
    "foreign-session-opened: authenticate opens a session whose token has become another user's",
    saysYes(AUTHENTICATE, 'token_already_stored'),
  ],
  'exchange-token-unknown': [
    'any-exchange-token-opens: The exchange token of authenticate is never looked up',
    saysYes(AUTHENTICATE, 'exchange_token_unknown'),
  ],
  'repeated-save-refused': [
    'repeated-save-acknowledged: A repeated save of a session is acknowledged',
    saysYes(SAVE, 'token_already_stored'),
  ],
  'token-unique-across-users': [
    'token-unique-per-user: The same session token is stored for several users',
    saysYes(SAVE, 'token_already_stored'),
  ],
  'expired-session-stays-over': [
    'expired-token-saved-again: The token of an expired session is saved once more',
    saysYes(SAVE, 'token_already_stored'),
  ],
  'unknown-user-not-saved': [
    'unknown-user-saved: A session is saved for a user who was never linked',
    saysYes(SAVE, 'user_unknown'),
  ],
  'expired-session-not-revived': [
    'session-without-end: The ttl of a session is stored, and never compared',
    saysYes(READ, 'session_expired'),
  ],
  'save-digest-verified': [
    'strangers-save: save_auth_info takes a cred of any user and any digest',
    saysYes(SAVE, 'not_authorized'),
  ],
  'medcard-strategy': [
    'card-need-not-fit: With MEDCARD any phone finds a patient',
    saysYes(AUTHENTICATE, 'patient_not_matched'),
  ],
});

export const error = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });

const failsAt = (isOdd: (text: string) => boolean): EhrChange =>
  answersBodies((text) => (isOdd(text) ? error(-32603, 'Internal error') : undefined));

const opensDoubled = both(
  before(ANY, ({ text, seen }) => {
    const tokens = [...text.matchAll(/"exchangeToken":"([^"]*)"/g)].map(([, token]) => token);
    for (const token of tokens.length > 1 ? tokens : []) seen.notes('doubled').set(token, true);
  }),
  instead(AUTHENTICATE, (turn) =>
    turn.seen.notes('doubled').has(turn.params.exchangeToken) ? success(turn) : undefined,
  ),
);

const inIds = (change: (id: string) => string | null) =>
  inReplies((reply) => (typeof reply.id === 'string' ? { ...reply, id: change(reply.id) } : reply));

export const envelopeDefects = foundBy({
  'no-sign-in-of-its-own': [
    'own-sign-in: Users sign in at the EHR server itself',
    instead(['auth.login', 'auth.request_otp', 'auth.confirm_otp'], () => yes({ token: 'a' })),
  ],
  'doubled-member-opens-nothing': [
    'doubled-member-stored: Of two exchange tokens one is verified, and the other is stored',
    opensDoubled,
  ],
  'odd-bodies-answered': [
    'null-in-list-fails: A list of null makes the server fail',
    failsAt((text) => text === '[null]'),
  ],
  'id-returned': [
    'id-zero-lost: A call of the id 0 is answered with the id null',
    inIds((id) => (id === '0' ? null : id)),
  ],
  'late-calls-refused': [
    'late-save-fails: A save of a stored token is an internal error',
    after(refused(SAVE, 'token_already_stored'), () => no('internal_error')),
  ],
});

const inNames = (change: (name: string) => string) =>
  inRecords((record) => ({
    ...record,
    name: change(String(record.name)),
    surname: change(String(record.surname)),
  }));

export const recordDefects = foundBy({
  'read-has-record-and-sign': [
    'read-without-sign: get_patient tells no user_sign',
    inResults(READ, ({ user_sign: _sign, userSign: _too, ...result }) => result),
  ],
  'members-of-record': [
    'record-without-phones: The record lacks a published member',
    inRecords(({ phones: _phones, ...record }) => record),
  ],
  'types-of-record': [
    'birthdate-of-its-own-form: The birthdate of the record is written day first',
    inRecords((record) => ({ ...record, birthdate: '12.04.1985' })),
  ],
  'names-keep-their-letters': [
    'names-in-latin-1: Letters that Latin-1 lacks become question marks in the record',
    inNames((name) => name.replace(/[^\x20-\u00FF]/gu, '?')),
  ],
  'record-agrees-with-match': [
    'record-of-another: The record is that of another patient',
    inRecords(({ id }) => ({ ...allPersonaPatients.find((patient) => patient.id !== id) })),
  ],
  'removals-return-nothing': [
    'removals-say-ok: The removals result in a member of their own',
    inResults(REMOVALS, () => ({ ok: true })),
  ],
});

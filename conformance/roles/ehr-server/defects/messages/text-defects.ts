/**
 * Defects of an EHR server with values that nobody thought of: ids of calls, letters beyond ASCII, control
 * characters, the type of a reply.
 */
import { refused } from '../../../../engine/defects/operators.ts';
import { no } from '../../../../engine/defects/rpc-call.ts';
import { after, instead } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { AUTHENTICATE, READ, SAVE, SAVE_EXCHANGE_TOKEN } from '../methods.ts';
import { completesCred } from '../sessions/session-changes.ts';
import { answersBodies, inBodies, inReplies } from './bodies.ts';
import { inResponses } from './http-messages.ts';

/** Change the id of each reply that has a text as its id. */
const inIds = (change: (id: string) => string | null) =>
  inReplies((reply) => (typeof reply.id === 'string' ? { ...reply, id: change(reply.id) } : reply));

/** Send each reply with another content type; undefined: with none. */
const typed = (type: string | undefined) =>
  inResponses(({ headers: { 'content-type': _type, ...others } }) => ({
    headers: { ...others, ...(type !== undefined && { 'content-type': type }) },
  }));

const FAILED = '{"jsonrpc":"2.0","error":{"code":-32603,"message":"Failed"},"id":null}';
/** Fail on every body with this text in it. */
const failsOn = (text: string) => answersBodies((body) => (body.includes(text) ? FAILED : undefined));

const BEYOND_ASCII = /[\u0080-\uffff]/g;
const folded = (text: unknown) => String(text).normalize('NFD').replace(/\p{M}/gu, '');

/** A scenario with a success and a refusal. */
const WALK = ['exchange-token-used-once'];

export const textDefects = foundBy({
  'null-id-returned': [
    'null-id-as-text: An id of null comes back as a text',
    inReplies((reply) => (reply.id === null ? { ...reply, id: 'null' } : reply)),
  ],
  'id-returned': [
    'id-zero-lost: A call of the id 0 is answered with the id null',
    inIds((id) => (id === '0' ? null : id)),
    'ids-of-31-bits: An id beyond 31 bits becomes another number',
    inIds((id) => (/^\d{10,}$/.test(id) ? String(Number(id) | 0) : id)),
  ],
  'text-ids-returned': [
    'id-empty-lost: A call whose id is an empty text is answered with the id null',
    inIds((id) => (id === '' ? null : id)),
    'ids-in-small-letters: Ids come back in small letters',
    inIds((id) => id.toLowerCase()),
    'ids-cut: An id of more than 64 characters is cut',
    inIds((id) => id.slice(0, 64)),
    'ids-without-zeros: An id of digits loses the zeros at its beginning',
    inIds((id) => id.replace(/^0+(?=\d+$)/, '')),
    'ids-in-ascii: Letters beyond ASCII in an id become question marks',
    inIds((id) => id.replace(BEYOND_ASCII, '?')),
  ],
  'replies-are-json': [
    'replies-as-html: Replies are sent as text/html',
    typed('text/html; charset=utf-8'),
    { playing: WALK },
    'replies-as-text: Replies are sent as text/plain',
    typed('text/plain'),
    { playing: WALK },
    'replies-without-type: Replies have no content type',
    typed(undefined),
    { playing: WALK },
  ],
  'texts-beyond-ascii': [
    'texts-in-ascii: Letters beyond ASCII become question marks',
    inBodies((body) => body.replace(BEYOND_ASCII, '?')),
    'digest-in-ascii: An exchange token with letters beyond ASCII has another digest',
    instead(SAVE_EXCHANGE_TOKEN, ({ params }) =>
      String(params.exchangeToken).search(BEYOND_ASCII) >= 0 ? no('not_authorized') : undefined,
    ),
    'accents-overlooked: A session is found by user and token without their accents',
    completesCred(READ, ({ user, token }, all) =>
      all.find((each) => folded(each.user) === folded(user) && folded(each.token) === folded(token)),
    ),
  ],
  'odd-texts-answered': [
    'zero-byte-fails: A zero byte in a text is an internal error',
    failsOn('\\u0000'),
    'half-a-pair-fails: Half a surrogate pair in a text is an internal error',
    failsOn('\\ud800'),
    'line-end-fails: A line end in a text is an internal error',
    failsOn('\\r\\n'),
  ],
  'late-calls-refused': [
    'late-save-fails: A save of a stored token is an internal error',
    after(refused(SAVE, 'token_already_stored'), () => no('internal_error')),
    'late-link-fails: A link of a linked patient is an internal error',
    after(refused(AUTHENTICATE, 'patient_already_linked'), () => no('internal_error')),
    'late-exchange-token-fails: A save of a stored exchange token is an internal error',
    after(refused(SAVE_EXCHANGE_TOKEN, 'exchange_token_already_stored'), () => no('internal_error')),
  ],
});

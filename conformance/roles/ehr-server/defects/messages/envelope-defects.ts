/**
 * Defects of an EHR server in the envelope of JSON-RPC: what it takes for a call, and which of several faults
 * it tells first. A key is the check that must find the defects below it. A text `id: title` begins a defect;
 * its change of the right server follows.
 */

import { ANY, refused } from '../../../../engine/defects/operators.ts';
import { no, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import { after, before, both, instead, success } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { AUTHENTICATE, SAVE } from '../methods.ts';
import { answersBodies, inReplies } from './bodies.ts';

/** The body of an error reply to a body without a usable id. */
const error = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });

/** Answer bodies that `isOdd` picks with an internal error. */
const failsAt = (isOdd: (text: string) => boolean): EhrChange =>
  answersBodies((text) => (isOdd(text) ? error(-32603, 'Internal error') : undefined));

/** Store both exchange tokens of a body that has the member twice, of which the digest verifies one. */
const opensDoubled = both(
  before(ANY, ({ text, seen }) => {
    const tokens = [...text.matchAll(/"exchangeToken":"([^"]*)"/g)].map(([, token]) => token);
    for (const token of tokens.length > 1 ? tokens : []) seen.notes('doubled').set(token, true);
  }),
  instead(AUTHENTICATE, (turn) =>
    turn.seen.notes('doubled').has(turn.params.exchangeToken) ? success(turn) : undefined,
  ),
);

/** Change the id of each reply that has a text as its id. */
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
  'text-ids-returned': [
    'id-empty-lost: A call whose id is an empty text is answered with the id null',
    inIds((id) => (id === '' ? null : id)),
  ],
  'late-calls-refused': [
    'late-save-fails: A save of a stored token is an internal error',
    after(refused(SAVE, 'token_already_stored'), () => no('internal_error')),
  ],
});

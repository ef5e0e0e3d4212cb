/** Clients that take for a reply, or for a success, what is none. */
import {
  ANY,
  AUTHENTICATE,
  atRefusal,
  CONFIRM,
  inReply,
  instead,
  shows,
  takesAnyReply,
} from './operators.mjs';
import { defectsOf } from './row.mjs';

const endsAtOddCode = (method) =>
  inReply(method, (reply) => {
    if (reply.error && typeof reply.error.code !== 'number') process.exit(1);
    return reply;
  });

export const replies = defectsOf({
  'errors-without-number': [
    'ends-at-odd-code: It ends at an error of authenticate whose code is no number',
    endsAtOddCode(AUTHENTICATE),
    'error-without-code-is-link: It takes an error of authenticate without a code for the link',
    atRefusal('authenticate', [undefined, null], () => ({ patient: {}, userSign: 'none' })),
  ],
  'replayed-sign-in-refused': [
    'replayed-session-adopted: It adopts the session of a reply that was sent before',
    takesAnyReply(CONFIRM),
    'reply-to-nobody-taken: It takes a reply with the id null',
    inReply(ANY, (reply, { id }) => (reply.id === null ? { ...reply, id } : reply)),
  ],
  'trouble-own-replies': [
    'takes-any-reply: It takes the reply of another call for its own',
    takesAnyReply(),
    'error-beside-result-ignored: It takes a result although there is an error beside it',
    inReply(ANY, ({ error, ...reply }) => (reply.result ? reply : { ...reply, error })),
  ],
  'trouble-claims-nothing': [
    'record-as-ever-at-failure: It shows the last record as ever when reading fails',
    shows({ do: 'readPatient', sees: 'error' }, (_seen, { ledger }) => ledger.recordScreens.at(-1) ?? {}),
    'empty-result-taken-for-link: It takes an empty result of authenticate for the record',
    instead('show', (right, _client, { patient }) =>
      patient ? right() : { sees: 'patient', text: 'Your record is connected.' },
    ),
  ],
  'trouble-told': [
    'code-claimed-at-failure: It says that a code was sent although the call failed',
    shows({ do: 'signIn', sees: 'error' }, (_seen, { phone }) => ({
      ...{ sees: 'code', text: `A code was sent to ${phone}. Please enter it.` },
    })),
  ],
});

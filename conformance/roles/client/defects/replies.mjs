/**
 * Clients that take for a reply, or for a success, what is none. A text `id: title` begins a defect; its
 * change follows, then `owner/repo#number` of public clients that had it. The key of a list is the check that
 * must find its defects.
 */
import {
  ANY,
  AUTH_LOGOUT,
  CONFIRM,
  DELETE_USER,
  EXCHANGE,
  inReply,
  instead,
  REPORT,
  REQUEST_CODE,
  takesAnyReply,
} from './operators.mjs';
import { defectsOf } from './row.mjs';

const REPLAY = 'shopware/frontends#2600';

export const replies = defectsOf({
  'replayed-sign-in-refused': [
    'replayed-session-adopted: It adopts the session of a reply that was sent before',
    takesAnyReply(CONFIRM),
    REPLAY,
    'reply-to-nobody-taken: It takes a reply with the id null',
    inReply(ANY, (reply, { id }) => (reply.id === null ? { ...reply, id } : reply)),
  ],
  'trouble-at-get-patient': [
    'takes-any-reply: It takes the reply of another call for its own',
    takesAnyReply(),
    REPLAY,
    'error-beside-result-ignored: It takes a result although there is an error beside it',
    inReply(ANY, ({ error, ...reply }) => (reply.result ? reply : { ...reply, error })),
  ],
  'trouble-at-confirm-otp': [
    'any-reply-of-auth-taken: It takes the reply of another call of the authorization server',
    takesAnyReply(REQUEST_CODE, CONFIRM, EXCHANGE, REPORT, AUTH_LOGOUT, DELETE_USER),
  ],
  'trouble-at-authenticate': [
    'empty-result-taken-for-link: It takes an empty result of authenticate for the record',
    instead('show', (right, _client, { patient }) =>
      patient ? right() : { sees: 'patient', text: 'Your record is connected.' },
    ),
  ],
});

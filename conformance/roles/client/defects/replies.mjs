/** Clients that take for a reply, or for a success, what is none. */
import { defect } from '../../../engine/defects/defect.mjs';
import {
  ANY,
  AUTHENTICATE,
  around,
  atRefusal,
  CONFIRM,
  inReply,
  shows,
  takesAnyReply,
} from './operators.mjs';

export const replies = [
  defect('errors-without-number', 'ends-at-odd-code', {
    title: 'It ends at an error of authenticate whose code is no number',
    change: inReply(AUTHENTICATE, (reply) => {
      if (reply.error && typeof reply.error.code !== 'number') process.exit(1);
      return reply;
    }),
  }),
  defect('errors-without-number', 'error-without-code-is-link', {
    title: 'It takes an error of authenticate without a code for the link',
    change: atRefusal('authenticate', [undefined, null], () => ({ patient: {}, userSign: 'none' })),
  }),
  defect('replayed-sign-in-refused', 'replayed-session-adopted', {
    title: 'It adopts the session of a reply that was sent before',
    change: takesAnyReply(CONFIRM),
  }),
  defect('replayed-sign-in-refused', 'reply-to-nobody-taken', {
    title: 'It takes a reply with the id null',
    change: inReply(ANY, (reply, { id }) => (reply.id === null ? { ...reply, id } : reply)),
  }),
  defect('trouble-own-replies', 'takes-any-reply', {
    title: 'It takes the reply of another call for its own',
    change: takesAnyReply(),
  }),
  defect('trouble-own-replies', 'error-beside-result-ignored', {
    title: 'It takes a result although there is an error beside it',
    change: inReply(ANY, ({ error, ...reply }) => (reply.result ? reply : { ...reply, error })),
  }),
  defect('trouble-claims-nothing', 'record-as-ever-at-failure', {
    title: 'It shows the last record as ever when reading fails',
    change: shows(
      { do: 'readPatient', sees: 'error' },
      (_seen, { ledger }) => ledger.recordScreens.at(-1) ?? {},
    ),
  }),
  defect('trouble-claims-nothing', 'empty-result-taken-for-link', {
    title: 'It takes an empty result of authenticate for the record',
    change: around('show', (right, _client, { patient }) =>
      patient ? right() : { sees: 'patient', text: 'Your record is connected.' },
    ),
  }),
  defect('trouble-told', 'code-claimed-at-failure', {
    title: 'It says that a code was sent although the call failed',
    change: shows({ do: 'signIn', sees: 'error' }, (_seen, { phone }) => ({
      ...{ sees: 'code', text: `A code was sent to ${phone}. Please enter it.` },
    })),
  }),
];

/**
 * Clients that call out of order or too often, or take a wrong reply for a right one. `operators.mjs`
 * explains names and callbacks.
 */
import { defect } from '../../../engine/defects/defect.mjs';
import { faults } from '../../../examples/plain-client/faults.mjs';
import {
  ANY,
  AUTHENTICATE,
  after,
  anyway,
  around,
  atRefusal,
  both,
  CONFIRM,
  dropAllSigns,
  inReply,
  NO_MATCH,
  READ,
  repeatedAt,
  shows,
  takenFor,
  takesAnyReply,
} from './operators.mjs';

const NO_ANSWER = 'no_answer';
const WRONG_CODE = -35000;
/** More calls of one method than a check allows for one action. */
const MANY_READS = 15;

export const order = [
  defect('sign-in-comes-first', 'form-without-asking', {
    title: 'It shows the form without asking for the record first',
    change: faults['form-without-asking'],
  }),
  defect('form-after-refusal', 'form-for-own-number-alone', {
    title: 'It shows the form at -32001 alone, a number that no server sends',
    change: atRefusal(READ, ANY, takenFor(-32001)),
  }),
  defect('disconnected-elsewhere', 'no-form-when-expired', {
    title: 'It shows an error, and no form, once the record was shown',
    change: after('readPatient', (client, { sees }) => {
      if (sees !== 'form' || !client.ledger.record) return undefined;
      client.isFormOpen = false;
      return { sees: 'error', text: 'The record cannot be shown now.' };
    }),
  }),
  defect('expired-session-leads-on', 'form-after-first-code-only', {
    title: 'It shows the form after -33000 alone',
    change: atRefusal(READ, [-33001, -33002], takenFor(-32603)),
  }),
  defect('link-reported-at-once', 'link-not-reported', {
    title: 'It does not report the link',
    change: faults['link-not-reported'],
  }),
  defect('exchange-token-first', 'link-told-to-nobody', {
    title: 'It neither reports a link nor sends its user_sign with a sign-in',
    change: both(faults['link-not-reported'], after('show', dropAllSigns)),
  }),
  defect('exchange-token-renewed', 'exchange-token-kept', {
    title: 'It uses its first exchange token for ever',
    change: faults['exchange-token-kept'],
  }),
  defect('form-sent-once', 'form-sent-twice', {
    title: 'It sends each form twice',
    change: around(AUTHENTICATE, async (right) => {
      const came = await right();
      await anyway(right());
      return came;
    }),
  }),
  defect('one-action-one-call', 'link-made-twice', {
    title: 'It sends the form twice, with two exchange tokens',
    change: around('authenticate', (right) => right().then(() => right())),
  }),
  defect('refused-try-not-repeated', 'form-sent-again-when-nobody-fits', {
    title: 'It sends a form that fits nobody once more',
    change: repeatedAt(AUTHENTICATE, NO_MATCH),
  }),
  defect('codes-asked-for-by-person', 'sign-in-begun-anew-without-answer', {
    title: 'It begins the sign-in again after a lost reply',
    change: atRefusal('confirm', NO_ANSWER, async (client) => {
      await client.resend();
    }),
  }),
  defect('no-calls-without-end', 'reads-without-end', {
    title: 'It reads the record until it is not refused',
    change: repeatedAt(READ, ANY, MANY_READS),
  }),
  defect('wrong-code-told', 'wrong-code-sent-again', {
    title: 'It sends a wrong code several times',
    change: repeatedAt(CONFIRM, WRONG_CODE, 2),
  }),
  defect('unlinked-sign-in-leads-to-form', 'stale-signature-locks-out', {
    title: 'A user_sign that opens nothing ends the sign-in',
    change: after('confirm', (_client, { linked }, _phone, _code, sign) => {
      if (sign && linked === false) throw new Error('stale');
    }),
  }),
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
      sees: 'code',
      text: `A code was sent to ${phone}. Please enter it.`,
    })),
  }),
];

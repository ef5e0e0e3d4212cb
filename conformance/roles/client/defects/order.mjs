/** Clients that call out of order or too often. */
import { faults } from '../../../examples/plain-client/faults.mjs';
import {
  ANY,
  AUTHENTICATE,
  after,
  all,
  altered,
  atRefusal,
  CONFIRM,
  dropAllSigns,
  instead,
  NO_MATCH,
  READ,
  repeatedAt,
  takenFor,
  twice,
} from './operators.mjs';
import { defectsOf } from './row.mjs';

const NO_ANSWER = 'no_answer';
const WRONG_CODE = -35000;
const MANY_READS = 15;

export const order = defectsOf({
  'sign-in-comes-first': [
    'form-without-asking: It shows the form without asking for the record first',
    faults['form-without-asking'],
  ],
  'form-after-refusal': [
    'form-for-own-number-alone: It shows the form for a number alone that no server sends',
    atRefusal(READ, ANY, takenFor(-32001)),
  ],
  'disconnected-elsewhere': [
    'no-form-when-expired: It shows an error, and no form, once the record was shown',
    altered('readPatient', (client, { sees }) => {
      if (sees !== 'form' || !client.ledger.record) return undefined;
      client.isFormOpen = false;
      return { sees: 'error', text: 'The record cannot be shown now.' };
    }),
  ],
  'expired-session-leads-on': [
    'form-after-first-code-only: It shows the form after -33000 alone',
    atRefusal(READ, [-33001, -33002], takenFor(-32603)),
  ],
  'link-reported-at-once': ['link-not-reported: It does not report the link', faults['link-not-reported']],
  'exchange-token-first': [
    'link-told-to-nobody: It neither reports a link nor sends its user_sign with a sign-in',
    all(faults['link-not-reported'], after('show', dropAllSigns)),
  ],
  'exchange-token-renewed': [
    'exchange-token-kept: It uses its first exchange token for ever',
    faults['exchange-token-kept'],
  ],
  'form-sent-once': ['form-sent-twice: It sends each form twice', twice(AUTHENTICATE)],
  'one-action-one-call': [
    'link-made-twice: It sends the form twice, with two exchange tokens',
    instead('authenticate', (right) => right().then(() => right())),
  ],
  'refused-try-not-repeated': [
    'form-sent-again-when-nobody-fits: It sends a form that fits nobody once more',
    repeatedAt(AUTHENTICATE, NO_MATCH),
  ],
  'codes-asked-for-by-person': [
    'sign-in-begun-anew-without-answer: It begins the sign-in again after a lost reply',
    asksForCodeAt(NO_ANSWER),
  ],
  'no-calls-without-end': [
    'reads-without-end: It reads the record until it is not refused',
    repeatedAt(READ, ANY, MANY_READS),
  ],
  'wrong-code-told': [
    'wrong-code-sent-again: It sends a wrong code several times',
    repeatedAt(CONFIRM, WRONG_CODE, 2),
  ],
  'unlinked-sign-in-leads-to-form': [
    'stale-signature-locks-out: A user_sign that opens nothing ends the sign-in',
    altered('confirm', (_client, { linked }, _phone, _code, sign) => {
      if (sign && linked === false) throw new Error('stale');
    }),
  ],
});

function asksForCodeAt(code) {
  return atRefusal('confirm', code, async (client) => {
    await client.resend();
  });
}

/**
 * Clients that cannot deal with values that few people think of: odd records, odd tokens, odd lifetimes.
 * A text `id: title` begins a defect; its change follows. The key of a list is the check that must find it.
 */
import { now } from '../../../examples/plain-client/faults.mjs';
import {
  ANY,
  AUTHENTICATE,
  altered,
  CONFIRM,
  inCred,
  inParams,
  instead,
  leaveQuietly,
  shows,
  showsRecord,
} from './operators.mjs';
import { defectsOf } from './row.mjs';

/** Changes the surname of the record that is shown. */
const surname = (change) => showsRecord({ surname: change });
/** Changes the token of every call that has a cred. */
const token = (change) => inCred(ANY, { token: change });

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const YEAR_MINUTES = 525_600;
/** Limits the time (ms) of a timer in JavaScript. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const values = defectsOf({
  'odd-records-shown': [
    'markup-run: It takes the texts of a record for HTML, which sets the title of its window',
    shows({ sees: 'patient' }, ({ patient }) => (/<img/.test(patient?.surname) ? { beside: 'RAN-IT' } : {})),
  ],
  'record-with-gaps-shown': [
    'gaps-are-errors: It refuses a record that lacks a member',
    altered('show', (_client, _seen, { patient }) => {
      if (!('middleName' in patient)) throw new Error('no middle name');
    }),
  ],
  'odd-records-whole': [
    'markup-stripped: It removes what looks like markup from a surname',
    surname((text) => text.replace(/<[^>]*>/g, '')),
    'markup-escaped: It shows a surname with HTML escapes',
    surname((text) => text.replaceAll('<', '&lt;')),
    'emoji-dropped: It drops signs of four bytes from a name',
    showsRecord({ name: (name) => name.replace(/\p{Extended_Pictographic}/gu, '') }),
  ],
  'odd-tokens-sent-back': [
    'token-in-ascii: It replaces what is not ASCII in a token',
    token((text) => text.replace(/[^ -~]/g, '?')),
    'token-in-one-byte: It keeps one byte of each sign of a token',
    token((text) => Buffer.from(text, 'latin1').toString('latin1')),
    'token-decomposed: It decomposes the letters of a token',
    token((text) => text.normalize('NFD')),
    'exchange-token-encoded: It sends the exchange token as in an address',
    inParams(AUTHENTICATE, { exchangeToken: encodeURIComponent }),
  ],
  'ttl-in-minutes': [
    'ttl-in-seconds: It takes the ttl of its session for seconds',
    instead('readPatient', (right, client) => {
      const signIn = client.ledger.answered(CONFIRM).at(-1);
      if (!signIn || now() < signIn.at + signIn.result.authInfo.ttl * SECOND_MS) return right();
      return leaveQuietly(client, 'Your session has ended, please sign in.');
    }),
    'long-ttl-refused: It refuses a session of more than a year',
    altered('confirm', (_client, { authInfo }) => {
      if (authInfo.ttl > YEAR_MINUTES) throw new Error('too long');
    }),
    'ttl-beyond-timers: A ttl that no timer can hold ends the session at once',
    instead('readPatient', (right, client) => {
      const { ttl } = client.ledger.answered(CONFIRM).at(-1)?.result.authInfo ?? { ttl: 0 };
      if (ttl * MINUTE_MS > MAX_TIMER_MS) client.forgetSession();
      return right();
    }),
  ],
});

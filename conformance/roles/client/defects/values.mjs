/**
 * Clients that cannot deal with values that few people think of, or with replies that come late.
 * A text `id: title` begins a defect; its change follows. The key of a list is the check that must find it.
 */
import { inBackground } from './delayed.mjs';
import { ANY, AUTHENTICATE, altered, inCred, inParams, instead, READ, showsRecord } from './operators.mjs';
import { defectsOf } from './row.mjs';

/** Changes the surname of the record that is shown. */
const surname = (change) => showsRecord({ surname: change });
/** Changes the token of every call that has a cred. */
const token = (change) => inCred(ANY, { token: change });

/** The longest time (ms) of a timer. */
const MOST_OF_A_TIMER_MS = 2 ** 31 - 1;
const MINUTE_MS = 60_000;

/** Reads the record in the background. `late` gets the client, the result, and the session of the call. */
const readsInBackground = (late) => inBackground('readPatient', (client) => client.ehr(READ, {}), late);
/** Shows a record at the next action, whoever is signed in. */
const showsNext = (client, { patient }) => {
  client.shownNext = { sees: 'patient', text: 'Your record.', patient };
};

export const values = defectsOf({
  'odd-records-shown': [
    'markup-stripped: It removes what looks like markup from a surname',
    surname((text) => text.replace(/<[^>]*>/g, '')),
    'markup-escaped: It shows a surname with HTML escapes',
    surname((text) => text.replaceAll('<', '&lt;')),
    'gaps-are-errors: It refuses a record that lacks a member',
    altered('show', (_client, _seen, { patient }) => {
      if (!('middleName' in patient)) throw new Error('no middle name');
    }),
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
  'late-reply-after-logout': [
    'late-record-shown: It shows a record that came after the logout',
    readsInBackground(showsNext),
    'late-record-revives-session: A record that came after the logout opens the session again',
    readsInBackground((client, _result, session) => {
      client.storage.session = session;
      client.save();
    }),
    'late-link-shown: It shows the record of a form that was answered after the logout',
    inBackground('authenticate', (_client, right) => right(), showsNext),
  ],
  'late-reply-after-other-sign-in': [
    'late-record-for-another: It shows a record that came after another person had signed in',
    readsInBackground(showsNext),
    'late-record-beside-form: It shows a late record beside the form of another person',
    readsInBackground((client, { patient }) => {
      client.besideNext = patient;
    }),
    'late-record-for-who-reads: It shows a late record to whoever reads next',
    readsInBackground((client, { patient }) => {
      client.shownToReader = { sees: 'patient', text: 'Your record.', patient };
    }),
  ],
  'ttl-in-minutes': [
    'ttl-beyond-timers: A ttl that no timer can hold ends the session at once',
    instead('readPatient', (right, client) => {
      const { ttl } = client.ledger.answered('auth.confirm_otp').at(-1)?.result.authInfo ?? { ttl: 0 };
      if (ttl * MINUTE_MS > MOST_OF_A_TIMER_MS) client.forgetSession();
      return right();
    }),
  ],
});

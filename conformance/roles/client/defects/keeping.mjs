/**
 * Clients that keep what they must forget, or forget what they must keep: sessions, records, user_signs.
 * A text `id: title` begins a defect; its change follows, then `owner/repo#number` of public clients that had
 * it. The key of a list is the check that must find its defects.
 */
import { faults } from '../../../examples/plain-client/faults.mjs';
import { inBackground, writesLate } from './delayed.mjs';
import {
  ANY,
  AUTHENTICATE,
  after,
  all,
  anyway,
  atRefusal,
  before,
  CONFIRM,
  DISCONNECT,
  dropAllSigns,
  dropSign,
  EXCHANGE,
  inParams,
  instead,
  leavesInStorage,
  memoised,
  NO_MATCH,
  READ,
  shows,
  takenFor,
} from './operators.mjs';
import { defectsOf } from './row.mjs';

/** Restores the session that has just ended, and goes on with it. */
function goesOn(client) {
  client.storage.session = client.ledger.sessions.at(-1);
  client.save();
}

/** A change of a screen: shows the last screen with a record again. */
const lastRecord = (_seen, { ledger }) => ledger.recordScreens.at(-1);

/** Reads the record in the background. `late` gets the client, the result, and the session of the call. */
const readsInBackground = (late) => inBackground('readPatient', (client) => client.ehr(READ, {}), late);
/** Shows a record at the next action, whoever is signed in. */
const showsNext = (client, { patient }) => {
  client.shownNext = { sees: 'patient', text: 'Your record.', patient };
};

export const keeping = defectsOf({
  'user-sign-kept': [
    'sign-in-another-member: It sends the user_sign as user_sign with auth.confirm_otp',
    inParams(CONFIRM, ({ ehr_user_sign }) => ({ user_sign: ehr_user_sign, ehr_user_sign: undefined })),
    'signature-in-memory: A restart loses the user_sign',
    before('restart', dropAllSigns),
  ],
  'exhausted-token-renewed': [
    'exhausted-token-kept: It goes on with an exchange token that has had its tries',
    memoised(EXCHANGE, (ledger, former) => ledger.after(former).every(({ error }) => error?.code !== -33001)),
  ],
  'form-after-exhausted': [
    'no-form-after-exhausted: It shows an error after -33002 of get_patient',
    atRefusal(READ, -33002, takenFor(-32603)),
  ],
  'user-sign-outlives-session': [
    'signature-dropped-at-expiry: It drops the user_sign when the session runs out',
    after('readPatient', (client, { sees }) => sees === 'form' && client.storage.session && dropSign(client)),
  ],
  'form-may-take-time': [
    'exchange-token-before-form: It asks for the exchange token before the form, and never for another by itself',
    all(
      memoised(EXCHANGE, (ledger, former) =>
        ledger
          .after(former)
          .every(({ method, error }) => method !== AUTHENTICATE || error?.code === NO_MATCH),
      ),
      after('readPatient', (client, { sees }) => sees === 'form' && anyway(client.exchangeToken())),
      instead('authenticate', (right, _client, params) => right(params, true)),
    ),
  ],
  'expired-session-way-on': [
    'stuck-when-expired: It goes on with a session that the authorization server does not know any more',
    atRefusal(EXCHANGE, 'signed_out', takenFor('no_answer')),
  ],
  'user-sign-of-own-link': [
    'signature-of-former-link-sent: It sends the user_sign of the first link after a new one',
    instead('confirm', (right, { ledger }, phone, code, sign) => right(phone, code, sign && ledger.signs[0])),
  ],
  'stale-sign-forgotten': [
    'stale-signature-sent-again: It sends a user_sign again that opened nothing',
    after('enterCode', (client) => {
      const { storage, ledger } = client;
      if (storage.session && ledger.signs.length > 0) storage.signatures[storage.session.phone] = ledger.sign;
      client.save();
    }),
  ],
  'new-sign-kept': [
    'first-signature-kept: It keeps the user_sign of the first link after a new one',
    instead('show', (right, { ledger }, { patient }) => right({ patient, userSign: ledger.signs[0] })),
  ],
  'signs-of-each-person': [
    'signature-for-everybody: It sends the user_sign of one person for another',
    faults['signature-for-everybody'],
    'record-of-another-when-offline: Without a connection it shows the last record, whoever is signed in',
    shows({ sees: 'error' }, (_seen, { ledger }) => ledger.recordScreens[0]),
    'AakashRathore136/FinSight-AI#231',
  ],
  'signs-of-others-kept': [
    'signatures-of-all-dropped-at-disconnection: A disconnection drops every user_sign',
    after('disconnect', dropAllSigns),
    'signatures-of-all-dropped-at-deletion: A deletion drops every user_sign',
    after('deleteAccount', dropAllSigns),
  ],
  'refused-report-keeps-sign': [
    'signature-dropped-at-refused-report: It forgets the user_sign when the report of the link is refused',
    after('report', (client) => client.storage.session?.isUnreported && dropSign(client)),
  ],
  'disconnect-after-success-alone': [
    'signature-dropped-before-answer: It drops the user_sign before it disconnects the record',
    before(DISCONNECT, dropSign),
  ],
  'hiccup-keeps-session': [
    'hiccup-ends-session: One failed connection ends the session',
    atRefusal('readPatient', ANY, (client) => void client.forgetSession()),
    'bluesky-social/social-app#294',
  ],
  'restart-keeps-session': [
    'code-screen-after-restart: After a restart it asks for a code that it did not ask for',
    shows({ do: 'restart', sees: 'signedOut' }, { sees: 'code', text: 'Please type the code.' }),
  ],
  'disconnect-forgets': [
    'signature-outlives-link: It sends the user_sign after a disconnection',
    faults['signature-outlives-link'],
    'record-shown-after-disconnection: It shows the record after a disconnection',
    shows({ do: 'disconnect' }, (_seen, { ledger }) => ({ ...ledger.recordScreens.at(-1), sees: 'form' })),
    'record-written-late-after-disconnection: A second after a disconnection it writes the record',
    writesLate('disconnect', ({ record }) => record),
    'form-left-in-storage: Its storage has the form after a disconnection',
    leavesInStorage('form'),
  ],
  'logout-forgets': [
    'record-kept-after-logout: It shows the record after a logout',
    shows({ do: 'readPatient', sees: 'signedOut' }, lastRecord),
    'zammad/zammad#118',
    'intershop/intershop-pwa#1488',
    'record-in-storage: It shows the record after a logout and a restart',
    shows({ do: 'restart' }, lastRecord),
    'session-kept-after-logout: It goes on with the session after a logout',
    after('logout', goesOn),
    'surrealdb/surrealist#897',
    'record-left-in-storage: Its storage has the record after a logout',
    leavesInStorage('record'),
    'mail-left-in-storage: Its storage has the e-mail address in base64 after a logout',
    leavesInStorage(({ record }) => record && btoa(record.email)),
    'record-written-late-after-logout: A second after a logout it writes the record into its storage',
    writesLate('logout', ({ record }) => record),
    'token-left-in-storage: Its storage has the session token after a logout',
    leavesInStorage('token'),
  ],
  'deletion-forgets': [
    'session-kept-after-deletion: It goes on with the session after a deletion',
    after('deleteAccount', goesOn),
    'form-written-late-after-deletion: A second after a deletion it writes the form into its storage',
    writesLate('deleteAccount', ({ form }) => form),
    'exchange-token-left-in-storage: Its storage has the exchange token after a deletion',
    leavesInStorage(({ exchangeToken }) => exchangeToken),
    'signature-left-after-deletion: Its storage has the user_sign after a deletion',
    leavesInStorage('sign'),
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
});

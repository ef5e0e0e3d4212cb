/** Clients that keep what they must forget, or forget what they must keep. */
import { faults } from '../../../examples/plain-client/faults.mjs';
import { inBackground, writesLate } from './delayed.mjs';
import {
  after,
  atRefusal,
  before,
  dropAllSigns,
  EXCHANGE,
  instead,
  leavesInStorage,
  READ,
  shows,
  takenFor,
} from './operators.mjs';
import { defectsOf } from './row.mjs';

function goesOn(client) {
  client.storage.session = client.ledger.sessions.at(-1);
  client.save();
}

const lastRecord = (_seen, { ledger }) => ledger.recordScreens.at(-1);

const readsInBackground = (late) => inBackground('readPatient', (client) => client.ehr(READ, {}), late);
const showsNext = (client, { patient }) => {
  client.shownNext = { sees: 'patient', text: 'Your record.', patient };
};

export const keeping = defectsOf({
  'user-sign-kept': ['signature-in-memory: A restart loses the user_sign', before('restart', dropAllSigns)],
  'expired-session-way-on': [
    'stuck-when-expired: It goes on with a session that the authorization server does not know any more',
    atRefusal(EXCHANGE, 'signed_out', takenFor('no_answer')),
  ],
  'user-sign-of-own-link': [
    'signature-of-former-link-sent: It sends the user_sign of the first link after a new one',
    instead('confirm', (right, { ledger }, phone, code, sign) => right(phone, code, sign && ledger.signs[0])),
  ],
  'signs-of-each-person': [
    'signature-for-everybody: It sends the user_sign of one person for another',
    faults['signature-for-everybody'],
    'record-of-another-when-offline: Without a connection it shows the last record, whoever is signed in',
    shows({ sees: 'error' }, (_seen, { ledger }) => ledger.recordScreens[0]),
  ],
  'disconnect-forgets': [
    'signature-outlives-link: It sends the user_sign after a disconnection',
    faults['signature-outlives-link'],
    'record-shown-after-disconnection: It shows the record after a disconnection',
    shows({ do: 'disconnect' }, (_seen, { ledger }) => ({ ...ledger.recordScreens.at(-1), sees: 'form' })),
  ],
  'logout-forgets': [
    'record-kept-after-logout: It shows the record after a logout',
    shows({ do: 'readPatient', sees: 'signedOut' }, lastRecord),
    'session-kept-after-logout: It goes on with the session after a logout',
    after('logout', goesOn),
    'record-written-late-after-logout: A second after a logout it writes the record into its storage',
    writesLate('logout', ({ record }) => record),
  ],
  'deletion-forgets': [
    'session-kept-after-deletion: It goes on with the session after a deletion',
    after('deleteAccount', goesOn),
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
  ],
  'late-reply-after-other-sign-in': [
    'late-record-for-another: It shows a record that came after another person had signed in',
    readsInBackground(showsNext),
  ],
});

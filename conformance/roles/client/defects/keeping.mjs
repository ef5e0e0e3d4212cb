/** Clients that keep what they must forget, or forget what they must keep. */
import { defect } from '../../../engine/defects/defect.mjs';
import { faults } from '../../../examples/plain-client/faults.mjs';
import { inBackground, writesLate } from './delayed.mjs';
import {
  after,
  around,
  atRefusal,
  before,
  dropAllSigns,
  EXCHANGE,
  leavesInStorage,
  READ,
  shows,
  takenFor,
} from './operators.mjs';

function goesOn(client) {
  client.storage.session = client.ledger.sessions.at(-1);
  client.save();
}

const readsInBackground = (late) => inBackground('readPatient', (client) => client.ehr(READ, {}), late);
const showsNext = (client, { patient }) => {
  client.shownNext = { sees: 'patient', text: 'Your record.', patient };
};

export const keeping = [
  defect('user-sign-kept', 'signature-in-memory', {
    title: 'A restart loses the user_sign',
    change: before('restart', dropAllSigns),
  }),
  defect('expired-session-way-on', 'stuck-when-expired', {
    title: 'It goes on with a session that the authorization server does not know any more',
    change: atRefusal(EXCHANGE, 'signed_out', takenFor('no_answer')),
  }),
  defect('user-sign-of-own-link', 'signature-of-former-link-sent', {
    title: 'It sends the user_sign of the first link after a new one',
    change: around('confirm', (right, { ledger }, phone, code, sign) =>
      right(phone, code, sign && ledger.signs[0]),
    ),
  }),
  defect('signs-of-each-person', 'signature-for-everybody', {
    title: 'It sends the user_sign of one person for another',
    change: faults['signature-for-everybody'],
  }),
  defect('signs-of-each-person', 'record-of-another-when-offline', {
    title: 'Without a connection it shows the last record, whoever is signed in',
    change: shows({ sees: 'error' }, (_seen, { ledger }) => ledger.recordScreens[0]),
  }),
  defect('disconnect-forgets', 'signature-outlives-link', {
    title: 'It sends the user_sign after a disconnection',
    change: faults['signature-outlives-link'],
  }),
  defect('disconnect-forgets', 'record-shown-after-disconnection', {
    title: 'It shows the record after a disconnection',
    change: shows({ do: 'disconnect' }, (_seen, { ledger }) => ({
      ...ledger.recordScreens.at(-1),
      sees: 'form',
    })),
  }),
  defect('logout-forgets', 'record-kept-after-logout', {
    title: 'It shows the record after a logout',
    change: shows({ do: 'readPatient', sees: 'signedOut' }, (_seen, { ledger }) =>
      ledger.recordScreens.at(-1),
    ),
  }),
  defect('logout-forgets', 'session-kept-after-logout', {
    title: 'It goes on with the session after a logout',
    change: after('logout', goesOn),
  }),
  defect('logout-forgets', 'record-written-late-after-logout', {
    title: 'A second after a logout it writes the record into its storage',
    change: writesLate('logout', ({ record }) => record),
  }),
  defect('deletion-forgets', 'session-kept-after-deletion', {
    title: 'It goes on with the session after a deletion',
    change: after('deleteAccount', goesOn),
  }),
  defect('deletion-forgets', 'signature-left-after-deletion', {
    title: 'Its storage has the user_sign after a deletion',
    change: leavesInStorage('sign'),
  }),
  defect('late-reply-after-logout', 'late-record-shown', {
    title: 'It shows a record that came after the logout',
    change: readsInBackground(showsNext),
  }),
  defect('late-reply-after-logout', 'late-record-revives-session', {
    title: 'A record that came after the logout opens the session again',
    change: readsInBackground((client, _result, session) => {
      client.storage.session = session;
      client.save();
    }),
  }),
  defect('late-reply-after-other-sign-in', 'late-record-for-another', {
    title: 'It shows a record that came after another person had signed in',
    change: readsInBackground(showsNext),
  }),
];

/** Endings that come too early, that nobody asked for, or that leave something behind. */
import { around, DISCONNECT, LOGOUT, onSeen, typing } from './parts.mjs';

const NO_SESSION = -33000;

/** Takes an unknown session for the end of the session, for some endings. */
const unknownIsEnded =
  (...methods) =>
  (client) =>
    around(client, 'ehr', (right, method, ...rest) =>
      right(method, ...rest).catch((error) => {
        if (methods.includes(method) && error.code === NO_SESSION) return {};
        throw error;
      }),
    );

/** Disconnects the record by itself when authenticate is refused with one of these numbers. */
const disconnectsAt =
  (...codes) =>
  (client) =>
    around(client, 'authenticate', (right, ...given) =>
      right(...given).catch(async (error) => {
        if (codes.includes(error.code)) await client.ehr(DISCONNECT, {}).catch(() => undefined);
        throw error;
      }),
    );

/** Leaves something in the storage for ever. */
const leaves = (what) =>
  typing((client) =>
    around(client, 'save', (right) => {
      client.left = what(client) ?? client.left;
      client.storage.left = client.left;
      return right();
    }),
  );

/** Remembers each record. */
const seeingRecords = (alter) => (client) => {
  around(client, 'show', (right, result) => {
    client.record = result.patient;
    return right(result);
  });
  alter(client);
};

/** Forgets the session at home alone. */
function leaveQuietly(client, text) {
  client.forgetSession();
  return { sees: 'signedOut', text };
}

export const endings = {
  'auth-logout-without-session': unknownIsEnded(LOGOUT),
  'deletion-left-out-unsaid': (client) =>
    around(client, 'deleteAccount', (right) =>
      right().catch((error) => {
        if (error.code !== 'nothing_to_end') throw error;
        return leaveQuietly(client, 'Your account is deleted.');
      }),
    ),
  'deletion-left-out-at-second-press': (client) =>
    around(client, 'deleteAccount', async (right) => {
      if (client.storage.session.endedBy) return leaveQuietly(client, 'You are signed out.');
      return right();
    }),
  'deletion-without-session': unknownIsEnded(DISCONNECT),
  'auth-after-second-failure': (client) =>
    around(client, 'endAtEhr', (right, method) => right(method).catch(() => right(method).catch(() => undefined))),
  'signature-dropped-before-answer': (client) =>
    around(client, 'endAtEhr', (right, method) => {
      if (method === DISCONNECT) delete client.storage.signatures[client.storage.session.phone];
      client.save();
      return right(method);
    }),
  'refused-disconnection-shown-as-done': onSeen((seen, action) =>
    action.do === 'disconnect' && seen.sees === 'error'
      ? { sees: 'form', text: 'Your record is disconnected, please tell us who you are.' }
      : seen,
  ),
  'disconnect-forgets-session': (client) =>
    around(client, 'disconnect', async () => {
      await client.endAtEhr(DISCONNECT);
      client.forgetSession();
      return { sees: 'form', text: 'Your record is disconnected. Please sign in again.' };
    }),
  'disconnects-when-matched-already': disconnectsAt(-34000),
  'disconnects-when-nobody-fits': disconnectsAt(-34001),
  'disconnects-when-linked-elsewhere': disconnectsAt(-34009, -33003),
  'record-left-in-storage': seeingRecords(leaves(({ record }) => record)),
  'mail-left-in-storage': seeingRecords(leaves(({ record }) => record && Buffer.from(record.email).toString('base64'))),
  'token-left-in-storage': leaves(({ storage }) => storage.session?.token),
  'exchange-token-left-in-storage': (client) =>
    around(client, 'exchangeToken', async (right) => {
      client.storage.left = await right();
      return client.storage.left;
    }),
  'form-left-in-storage': leaves(({ typed }) => typed),
  'signature-left-after-deletion': leaves(({ storage }) => Object.values(storage.signatures)[0]),
};

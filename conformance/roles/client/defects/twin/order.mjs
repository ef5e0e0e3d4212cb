/** Calls in the wrong order, too many, or none. */
import { AUTHENTICATE, anyway, around, DISCONNECT, LOGOUT, onReply, twice } from './parts.mjs';

/** Answers what a person sees once an exchange token has led nowhere. */
const atDeadTokens = (seen) => (client) =>
  around(client, 'fillForm', (right, action) =>
    right(action).catch((error) => {
      if (![-33000, -33001, -33002].includes(error.code)) throw error;
      return seen(client);
    }),
  );

export const order = {
  'no-form-when-expired': (client) =>
    around(client, 'readPatient', async (right, options) => {
      const seen = await right(options);
      if (seen.sees !== 'form' || !client.hasShown) return seen;
      client.isFormOpen = false;
      return { sees: 'error', text: 'The record cannot be shown now.' };
    }) ??
    around(client, 'show', (right, result) => {
      client.hasShown = true;
      return right(result);
    }),
  'report-given-up': (client) =>
    around(client, 'report', async (right, sign) => {
      const note = await right(sign);
      client.storage.session.isUnreported = false;
      return note;
    }),
  'lost-link-not-reported': (client) =>
    around(client, 'authenticate', (right, ...given) =>
      right(...given).catch((error) => {
        client.storage.session.isUnreported = false;
        throw error;
      }),
    ),
  'logout-at-home-only': (client) =>
    around(client, 'logout', async () => {
      client.forgetSession();
      return { sees: 'signedOut', text: 'You are signed out.' };
    }),
  'dead-exchange-token-as-mismatch': atDeadTokens(() => ({
    sees: 'form',
    text: 'No record was found by these details. Check each of them, or ask your clinic.',
  })),
  'dead-exchange-token-signs-out': atDeadTokens((client) => {
    client.forgetSession();
    return { sees: 'signedOut', text: 'Your time is over. Please sign in again.' };
  }),
  'no-way-out': (client) =>
    around(client, 'leave', (right, ...given) => {
      if (client.storage.session) delete client.storage.session.endedBy;
      return right(...given);
    }),
  'leaves-without-logout': (client) => {
    around(client, 'act', (right, action) =>
      action?.do === 'logout' && process.stdin.readableEnded ? undefined : right(action),
    );
  },
  'logout-at-ehr-only': (client) =>
    around(client, 'auth', (right, method, ...rest) => (method === 'auth.logout' ? {} : right(method, ...rest))),
  'deletion-at-auth-only': (client) =>
    around(client, 'deleteAccount', async () => {
      await client.auth('auth.delete_user', {}, client.storage.session);
      client.forgetSession();
      return { sees: 'signedOut', text: 'Your account is deleted.' };
    }),
  'logout-disconnects': (client) =>
    around(client, 'logout', () => client.leave(DISCONNECT, 'auth.logout', 'You are signed out.')),
  'deletion-keeps-link': (client) =>
    around(client, 'deleteAccount', () => client.leave(LOGOUT, 'auth.delete_user', 'Your account is deleted.')),
  'both-servers-at-once': (client) =>
    around(client, 'leave', async (_right, ehrMethod, authMethod, text) => {
      const { session } = client.storage;
      await Promise.all([client.endAtEhr(ehrMethod), client.auth(authMethod, {}, session)]);
      client.forgetSession();
      return { sees: 'signedOut', text };
    }),
  'disconnect-signs-out': (client) =>
    around(client, 'disconnect', async () => {
      await client.endAtEhr(DISCONNECT);
      await client.auth('auth.logout', {}, client.storage.session);
      client.forgetSession();
      return { sees: 'signedOut', text: 'Your record is disconnected, and you are signed out.' };
    }),
  'auth-logout-not-repeated': (client) =>
    around(client, 'leave', (right, ...given) =>
      right(...given).catch((error) => {
        if (!client.storage.session?.endedBy) throw error;
        client.forgetSession();
        return { sees: 'signedOut', text: 'You are signed out.' };
      }),
    ),
  'leaving-disconnects': (client) =>
    around(client, 'logout', (right) =>
      process.stdin.readableEnded ? client.leave(DISCONNECT, 'auth.logout', '') : right(),
    ),
  'form-at-forbidden': (client) =>
    around(client, 'readPatient', (right, options) =>
      right(options).catch((error) => {
        if (error.code !== -33403) throw error;
        client.isFormOpen = true;
        return { sees: 'form', text: 'Please tell us who you are.' };
      }),
    ),
  'form-when-record-gone': (client) =>
    around(client, 'readPatient', (right, options) =>
      right(options).catch((error) => {
        if (error.code !== -34001) throw error;
        client.isFormOpen = true;
        return { sees: 'form', text: 'Please tell us who you are.' };
      }),
    ),
  'form-after-first-code-only': () => onReply((error) => [-33001, -33002].includes(error.code) && 'internal_error'),
  'expiry-signs-out': (client) =>
    around(client, 'ehr', (right, ...given) =>
      right(...given).catch((error) => {
        if (error.code === -33001) throw Object.assign(error, { code: 'signed_out' });
        throw error;
      }),
    ),
  'confirms-twice': twice('confirm'),
  'form-sent-twice': (client) =>
    around(client, 'ehr', async (right, method, ...rest) => {
      const result = await right(method, ...rest);
      if (method === AUTHENTICATE) await anyway(right(method, ...rest));
      return result;
    }),
  'logout-sent-twice': (client) =>
    around(client, 'ehr', async (right, method, ...rest) => {
      const result = await right(method, ...rest);
      if (method === LOGOUT) await anyway(right(method, ...rest));
      return result;
    }),
  'deletion-sent-twice': (client) =>
    around(client, 'ehr', async (right, method, ...rest) => {
      const result = await right(method, ...rest);
      if (method === DISCONNECT) await anyway(right(method, ...rest));
      return result;
    }),
  'follows-redirects': () => {
    const right = globalThis.fetch;
    globalThis.fetch = (url, init) => right(url, { ...init, redirect: 'follow' });
  },
};

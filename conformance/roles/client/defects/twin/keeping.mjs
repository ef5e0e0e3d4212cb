/** Keeping, forgetting, and what the person is told. */
import { around, onSeen, takeAnyReply } from './parts.mjs';

export const keeping = {
  'stale-signature-sent-again': (client) => {
    let kept;
    around(client, 'show', (right, result) => {
      kept = result.user_sign ?? result.userSign;
      return right(result);
    });
    around(client, 'enterCode', async (right, action) => {
      const seen = await right(action);
      if (client.storage.session && kept) client.storage.signatures[client.storage.session.phone] = kept;
      client.save();
      return seen;
    });
  },
  'signature-dropped-at-refused-report': (client) =>
    around(client, 'report', async (right, sign) => {
      const { phone } = client.storage.session;
      const note = await right(sign);
      if (client.storage.session?.isUnreported) delete client.storage.signatures[phone];
      client.save();
      return note;
    }),
  'code-screen-after-restart': onSeen((seen, action) =>
    action.do === 'restart' && seen.sees === 'signedOut' ? { sees: 'code', text: 'Please type the code.' } : seen,
  ),
  'signature-in-memory': (client) =>
    around(client, 'restart', (right) => {
      client.storage.signatures = {};
      return right();
    }),
  'first-signature-kept': (client) =>
    around(client, 'show', (right, result) => {
      const { user_sign, userSign = user_sign, ...rest } = result;
      client.firstSign ??= userSign;
      return right({ ...rest, userSign: client.firstSign });
    }),
  'session-kept-after-deletion': (client) =>
    around(client, 'deleteAccount', async (right) => {
      const { session } = client.storage;
      const seen = await right();
      client.storage.session = session;
      client.save();
      return seen;
    }),
  'record-shown-after-disconnection': onSeen((seen, action, client) => {
    if (seen.sees === 'patient') client.kept = seen;
    return action.do === 'disconnect' && client.kept ? { ...client.kept, sees: 'form' } : seen;
  }),
  'record-in-storage': onSeen((seen, action, client) => {
    if (seen.sees === 'patient') client.kept = seen;
    return action.do === 'restart' && client.kept ? client.kept : seen;
  }),
  'record-kept-after-logout': onSeen((seen, action, client) => {
    if (seen.sees === 'patient') client.kept = seen;
    return action.do === 'readPatient' && seen.sees === 'signedOut' && client.kept ? client.kept : seen;
  }),
  'session-kept-after-logout': (client) =>
    around(client, 'forgetSession', (right) => {
      const { session } = client.storage;
      right();
      client.storage.session = session;
    }),
  'record-of-another-when-offline': onSeen((seen, _action, client) => {
    if (seen.sees === 'patient') client.kept ??= seen;
    return seen.sees === 'error' && client.kept ? client.kept : seen;
  }),
  'hiccup-ends-session': (client) =>
    around(client, 'readPatient', (right, options) =>
      right(options).catch((error) => {
        client.forgetSession();
        throw error;
      }),
    ),
  'endless-exchange': (client) =>
    around(client, 'readPatient', async (right, options) => {
      let seen = await right(options);
      for (let turn = 0; turn < 20 && client.linkedOnce && seen.sees === 'form'; turn += 1) seen = await right(options);
      return seen;
    }) ??
    around(client, 'show', (right, result) => {
      client.linkedOnce = true;
      return right(result);
    }),
  'codes-for-words': onSeen((seen) => (seen.sees === 'patient' ? seen : { ...seen, text: '-33000' })),
  'takes-any-reply': () => takeAnyReply(() => true),
  'any-reply-of-auth-taken': () => takeAnyReply((method) => method.startsWith('auth.')),
  'wrong-code-ends-sign-in': onSeen((seen, action, client) => {
    if (action.do !== 'enterCode' || seen.sees !== 'code') return seen;
    client.phone = undefined;
    return { sees: 'signedOut', text: 'The sign-in has failed, please begin again.' };
  }),
  'no-match-closes-form': onSeen((seen, action, client) => {
    if (action.do !== 'fillForm' || seen.sees !== 'form') return seen;
    client.isFormOpen = false;
    return { ...seen, sees: 'error' };
  }),
  'says-nothing-at-errors': onSeen((seen) => (seen.sees === 'error' ? { ...seen, text: '' } : seen)),
  'name-of-reason-for-words': onSeen((seen) => (seen.sees === 'error' ? { ...seen, text: 'internal_error' } : seen)),
  'success-told-at-failure': onSeen((seen, action) =>
    action.do === 'logout' && seen.sees === 'error' ? { sees: 'signedOut', text: 'You are signed out.' } : seen,
  ),
};

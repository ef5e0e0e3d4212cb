/** Clients that end a session, a link or an account wrongly. `operators.mjs` explains names and callbacks. */
import { defect } from '../../../engine/defects/defect.mjs';
import { faults, now } from '../../../examples/plain-client/faults.mjs';
import {
  ANY,
  AUTH_LOGOUT,
  after,
  anyway,
  around,
  atRefusal,
  before,
  both,
  DELETE_USER,
  DISCONNECT,
  dropAllSigns,
  EXCHANGE,
  isLeaving,
  LOGOUT,
  leaveQuietly,
  leavesInStorage,
  READ,
  shows,
  takenFor,
} from './operators.mjs';

const NO_SESSION = -33000;
const SIGNED_OUT = 'You are signed out.';
const DELETED = 'Your account is deleted.';
const SECOND_MS = 1_000;

/** Signs the person out once the EHR server has ended its part, although the authorization server failed. */
const endsHalf = (name, text) =>
  atRefusal(name, ANY, (client) =>
    client.storage.session?.endedBy ? leaveQuietly(client, text) : undefined,
  );

/** How long (ms) a client waits for a reply before it goes on without it. */
const REPLY_WAIT_MS = 600;
const FAILED = Symbol('failed');

/** `late` gets what came late; the client then shows what it has left in `shownNext` at its next action. */
const inBackground = (name, ask, late) =>
  both(
    around(name, async (right, client) => {
      const { session } = client.storage;
      if (!session) return right();
      const limit = AbortSignal.timeout(REPLY_WAIT_MS);
      const asked = ask(client, right);
      const came = await Promise.race([
        asked.catch(() => FAILED),
        new Promise((resolve) => limit.addEventListener('abort', () => resolve(undefined))),
      ]);
      if (came === FAILED) return right();
      if (came !== undefined) return name === 'readPatient' ? client.show(came) : came;
      void asked.then(
        (result) => late(client, result, session),
        () => undefined,
      );
      throw Object.assign(new Error('late'), { code: 'late' });
    }),
    around('act', async (right, client) => {
      const seen = await right();
      const { shownNext } = client;
      return shownNext ? Object.assign(client, { shownNext: undefined }) && shownNext : seen;
    }),
  );

const LATE_MS = 1_000;

/** Writes a value of the ledger into the client's storage a second after an action has succeeded. */
const writesLate = (name, what) =>
  after(name, (client) => {
    const left = what(client.ledger);
    const write = () => Object.assign(client.storage, { left }) && client.save();
    AbortSignal.timeout(LATE_MS).addEventListener('abort', write);
  });

function goesOn(client) {
  client.storage.session = client.ledger.sessions.at(-1);
  client.save();
}

const readsInBackground = (late) => inBackground('readPatient', (client) => client.ehr(READ, {}), late);
const showsNext = (client, { patient }) => {
  client.shownNext = { sees: 'patient', text: 'Your record.', patient };
};

export const endings = [
  defect('logout-ehr-first', 'auth-first', {
    title: 'It calls the authorization server first at an ending',
    change: faults['auth-first'],
  }),
  defect('logout-ehr-first', 'logout-at-home-only', {
    title: 'It logs out without any call',
    change: around('logout', async (_right, client) => leaveQuietly(client, SIGNED_OUT)),
  }),
  defect('logout-after-success-alone', 'both-servers-at-once', {
    title: 'It calls both servers at the same moment at an ending',
    change: around('leave', async (_right, client, ehrMethod, authMethod, text) => {
      await Promise.all([client.endAtEhr(ehrMethod), client.auth(authMethod, {}, client.storage.session)]);
      return leaveQuietly(client, text);
    }),
  }),
  defect('logout-after-success-alone', 'auth-despite-refusal', {
    title: 'It calls the authorization server although the EHR server failed',
    change: faults['auth-despite-refusal'],
  }),
  defect('logout-after-success-alone', 'no-answer-is-logout', {
    title: 'It takes a removal without an answer for done',
    change: atRefusal(LOGOUT, 'no_answer', ({ ledger }) =>
      now() - ledger.failed(LOGOUT).at(-1).at > SECOND_MS ? {} : undefined,
    ),
  }),
  defect('failed-logout-not-claimed', 'success-told-at-failure', {
    title: 'It says that the person is signed out although the EHR server failed',
    change: shows({ do: 'logout', sees: 'error' }, { sees: 'signedOut', text: SIGNED_OUT }),
  }),
  defect('failed-deletion-not-claimed', 'deletion-told-at-failure', {
    title: 'It says that the account is deleted although the EHR server failed',
    change: shows({ do: 'deleteAccount', sees: 'error' }, { sees: 'signedOut', text: DELETED }),
  }),
  defect('failed-logout-told', 'failed-logout-untold', {
    title: 'It says nothing when a logout fails',
    change: shows({ do: 'logout', sees: 'error' }, { text: '' }),
  }),
  defect('deletion-ehr-first', 'deletion-at-auth-first', {
    title: 'It deletes the account at the authorization server, and ends the link then',
    change: around('deleteAccount', async (_right, client) => {
      const { session } = client.storage;
      await anyway(client.auth(DELETE_USER, {}, session));
      await anyway(client.ehr(DISCONNECT, {}));
      client.storage.signatures = {};
      return leaveQuietly(client, DELETED);
    }),
  }),
  defect('logout-at-both-servers', 'logout-at-ehr-only', {
    title: 'It logs out at the EHR server alone',
    change: around(AUTH_LOGOUT, async () => ({})),
  }),
  defect('deletion-at-both-servers', 'deletion-at-auth-only', {
    title: 'It deletes the account at the authorization server alone',
    change: around('deleteAccount', async (_right, client) => {
      await client.auth(DELETE_USER, {}, client.storage.session);
      return leaveQuietly(client, DELETED);
    }),
  }),
  defect('deletion-after-success-alone', 'deletion-without-session', {
    title: 'It takes an unknown session for a successful disconnection',
    change: atRefusal(DISCONNECT, NO_SESSION, () => ({})),
  }),
  defect('disconnect-alone', 'disconnect-deletes-account', {
    title: 'It deletes the account at a disconnection',
    change: around('disconnect', (_right, client) => client.leave(DISCONNECT, DELETE_USER, DELETED)),
  }),
  defect('failed-disconnection-not-claimed', 'refused-disconnection-shown-as-done', {
    title: 'It shows a refused disconnection as done',
    change: shows(
      { do: 'disconnect', sees: 'error' },
      { sees: 'form', text: 'Your record is disconnected, please tell us who you are.' },
    ),
  }),
  defect('links-end-when-asked', 'disconnects-when-nobody-fits', {
    title: 'It disconnects by itself when nobody fits',
    change: atRefusal('authenticate', -34001, (client) => anyway(client.ehr(DISCONNECT, {}))),
  }),
  defect('auth-server-fails-at-logout', 'auth-logout-not-repeated', {
    title: 'It does not repeat an auth.logout that failed',
    change: endsHalf('leave', SIGNED_OUT),
  }),
  defect('auth-server-fails-at-logout', 'record-shown-till-end', {
    title: 'It shows the record until the authorization server has ended its part',
    change: shows({ do: 'logout', sees: 'error' }, ({ text }, { storage, ledger }) =>
      storage.session?.endedBy ? { ...ledger.recordScreens.at(-1), text } : {},
    ),
  }),
  defect('auth-server-fails-at-logout-told', 'refused-logout-for-ever', {
    title: 'It takes no refusal of a repeated auth.logout for the end of the session',
    change: atRefusal(AUTH_LOGOUT, 'signed_out', takenFor('no_answer')),
  }),
  defect('auth-server-fails-at-deletion', 'failed-deletion-hidden', {
    title: 'It tells of a deletion although the authorization server failed',
    change: endsHalf('deleteAccount', DELETED),
  }),
  defect('way-out-without-session', 'no-way-out', {
    title: 'A person whose session the EHR server does not know cannot leave',
    change: before('leave', ({ storage }) => {
      delete storage.session?.endedBy;
    }),
  }),
  defect('leaving-logs-out', 'leaves-without-logout', {
    title: 'It ends without a logout',
    change: around('act', (right, _client, action) =>
      action.do === 'logout' && isLeaving() ? undefined : right(),
    ),
  }),
  defect('ehr-first-in-every-ending', 'auth-first-when-leaving', {
    title: 'It calls auth.logout first when the person leaves',
    change: before(
      'logout',
      (client) => isLeaving() && anyway(client.auth(AUTH_LOGOUT, {}, client.storage.session)),
    ),
  }),
  defect('ehr-first-in-every-ending', 'second-press-forces', {
    title: 'Its second logout skips an EHR server that failed',
    change: around('endAtEhr', async (right, { ledger }, method) => {
      if (method !== LOGOUT || ledger.failed(LOGOUT).length === 0) await right();
    }),
  }),
  defect('former-session-ended', 'former-session-goes-on', {
    title: 'It leaves the session of the person before open',
    change: around('signIn', (_right, client, { phone }) => Object.assign(client, { phone }).resend()),
  }),
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
  defect('signs-of-each-person', 'form-of-person-before-shown', {
    title: 'The form has the names that the person before has typed',
    change: shows(
      { sees: 'form' },
      (_seen, { ledger: { form } }) => form && { beside: `${form.name} ${form.surname}` },
    ),
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

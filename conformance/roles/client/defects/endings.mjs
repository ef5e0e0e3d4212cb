/** Clients that end a session, a link or an account wrongly. */
import { faults, now } from '../../../examples/plain-client/faults.mjs';
import {
  ANY,
  AUTH_LOGOUT,
  anyway,
  atRefusal,
  before,
  DELETE_USER,
  DISCONNECT,
  instead,
  isLeaving,
  LOGOUT,
  leaveQuietly,
  shows,
  takenFor,
} from './operators.mjs';
import { defectsOf } from './row.mjs';

const NO_SESSION = -33000;
const SIGNED_OUT = 'You are signed out.';
const DELETED = 'Your account is deleted.';
const SECOND_MS = 1_000;

const succeeded = () => ({});

/** Signs the person out once the EHR server has ended its part, although the authorization server failed. */
const endsHalf = (name, text) =>
  atRefusal(name, ANY, (client) =>
    client.storage.session?.endedBy ? leaveQuietly(client, text) : undefined,
  );

/** Skips the call to the EHR server at the second attempt of an ending, when that call failed before. */
const forced = (ending) =>
  instead('endAtEhr', async (right, { ledger }, method) => {
    if (method !== ending || ledger.failed(ending).length === 0) await right();
  });

async function disconnects(client) {
  await anyway(client.ehr(DISCONNECT, {}));
}

export const endings = defectsOf({
  'logout-ehr-first': [
    'auth-first: It calls the authorization server first at an ending',
    faults['auth-first'],
    'logout-at-home-only: It logs out without any call',
    instead('logout', async (_right, client) => leaveQuietly(client, SIGNED_OUT)),
  ],
  'logout-after-success-alone': [
    'both-servers-at-once: It calls both servers at the same moment at an ending',
    instead('leave', async (_right, client, ehrMethod, authMethod, text) => {
      await Promise.all([client.endAtEhr(ehrMethod), client.auth(authMethod, {}, client.storage.session)]);
      return leaveQuietly(client, text);
    }),
    'auth-despite-refusal: It calls the authorization server although the EHR server failed',
    faults['auth-despite-refusal'],
    'no-answer-is-logout: It takes a removal without an answer for done',
    atRefusal(LOGOUT, 'no_answer', ({ ledger }) =>
      now() - ledger.failed(LOGOUT).at(-1).at > SECOND_MS ? {} : undefined,
    ),
  ],
  'failed-logout-not-claimed': [
    'success-told-at-failure: It says that the person is signed out although the EHR server failed',
    shows({ do: 'logout', sees: 'error' }, { sees: 'signedOut', text: SIGNED_OUT }),
  ],
  'failed-deletion-not-claimed': [
    'deletion-told-at-failure: It says that the account is deleted although the EHR server failed',
    shows({ do: 'deleteAccount', sees: 'error' }, { sees: 'signedOut', text: DELETED }),
  ],
  'failed-logout-told': [
    'failed-logout-untold: It says nothing when a logout fails',
    shows({ do: 'logout', sees: 'error' }, { text: '' }),
  ],
  'deletion-ehr-first': [
    'deletion-at-auth-first: It deletes the account at the authorization server, and ends the link then',
    instead('deleteAccount', async (_right, client) => {
      const { session } = client.storage;
      await anyway(client.auth(DELETE_USER, {}, session));
      await anyway(client.ehr(DISCONNECT, {}));
      client.storage.signatures = {};
      return leaveQuietly(client, DELETED);
    }),
  ],
  'logout-at-both-servers': [
    'logout-at-ehr-only: It logs out at the EHR server alone',
    instead(AUTH_LOGOUT, async () => ({})),
  ],
  'deletion-at-both-servers': [
    'deletion-at-auth-only: It deletes the account at the authorization server alone',
    instead('deleteAccount', async (_right, client) => {
      await client.auth(DELETE_USER, {}, client.storage.session);
      return leaveQuietly(client, DELETED);
    }),
  ],
  'deletion-after-success-alone': [
    'deletion-without-session: It takes an unknown session for a successful disconnection',
    atRefusal(DISCONNECT, NO_SESSION, succeeded),
  ],
  'disconnect-alone': [
    'disconnect-deletes-account: It deletes the account at a disconnection',
    instead('disconnect', (_right, client) => client.leave(DISCONNECT, DELETE_USER, DELETED)),
  ],
  'failed-disconnection-not-claimed': [
    'refused-disconnection-shown-as-done: It shows a refused disconnection as done',
    shows(
      { do: 'disconnect', sees: 'error' },
      { sees: 'form', text: 'Your record is disconnected, please tell us who you are.' },
    ),
  ],
  'links-end-when-asked': [
    'disconnects-when-nobody-fits: It disconnects by itself when nobody fits',
    atRefusal('authenticate', -34001, disconnects),
  ],
  'auth-server-fails-at-logout': [
    'auth-logout-not-repeated: It does not repeat an auth.logout that failed',
    endsHalf('leave', SIGNED_OUT),
    'record-shown-till-end: It shows the record until the authorization server has ended its part',
    shows({ do: 'logout', sees: 'error' }, ({ text }, { storage, ledger }) =>
      storage.session?.endedBy ? { ...ledger.recordScreens.at(-1), text } : {},
    ),
  ],
  'auth-server-fails-at-logout-told': [
    'refused-logout-for-ever: It takes no refusal of a repeated auth.logout for the end of the session',
    atRefusal(AUTH_LOGOUT, 'signed_out', takenFor('no_answer')),
  ],
  'auth-server-fails-at-deletion': [
    'failed-deletion-hidden: It tells of a deletion although the authorization server failed',
    endsHalf('deleteAccount', DELETED),
  ],
  'way-out-without-session': [
    'no-way-out: A person whose session the EHR server does not know cannot leave',
    before('leave', ({ storage }) => {
      delete storage.session?.endedBy;
    }),
  ],
  'leaving-logs-out': [
    'leaves-without-logout: It ends without a logout',
    instead('act', (right, _client, action) => (action.do === 'logout' && isLeaving() ? undefined : right())),
  ],
  'ehr-first-in-every-ending': [
    'auth-first-when-leaving: It calls auth.logout first when the person leaves',
    before('logout', (client) => isLeaving() && anyway(client.auth(AUTH_LOGOUT, {}, client.storage.session))),
    'second-press-forces: Its second logout skips an EHR server that failed',
    forced(LOGOUT),
  ],
  'former-session-ended': [
    'former-session-goes-on: It leaves the session of the person before open',
    instead('signIn', (_right, client, { phone }) => Object.assign(client, { phone }).resend()),
  ],
});

/** Clients that differ from the right one in a harmless way. */
import {
  ANY,
  AUTH_LOGOUT,
  AUTHENTICATE,
  after,
  all,
  anyway,
  atRefusal,
  DELETE_USER,
  DISCONNECT,
  dropAllSigns,
  dropSign,
  EXCHANGE,
  inCall,
  inForm,
  inParams,
  inRequest,
  instead,
  LOGOUT,
  leaveQuietly,
  memoised,
  NO_MATCH,
  READ,
  shows,
  takesAnyReply,
  withIds,
} from './operators.mjs';
import { rowsOf } from './row.mjs';

const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The token is still good while only reads and forms that fit nobody came since. */
const keepsToken = memoised(
  EXCHANGE,
  (ledger, former) =>
    former.result.exchangeToken &&
    ledger
      .after(former)
      .every(({ method, error }) => method === READ || (method === AUTHENTICATE && error?.code === NO_MATCH)),
);

const inHan = (letter) => String.fromCodePoint(0x4e00 + letter.codePointAt(0) * 7);

/** Shows the record of the screen before with the words of an error; an error where there was none. */
const aboveRecord = ({ text }, { ledger }) => {
  const last = ledger.screens.slice(0, -1).findLast(({ sees }) => sees !== 'error');
  return last?.sees === 'patient' ? { ...last, text } : {};
};

export const harmlessClients = rowsOf([
  'ids-by-chance: Its ids are texts with letters',
  withIds((id) => `call-${id}-of-this-client`),
  'gender-left-out: It leaves the gender out',
  inForm({ gender: undefined }),
  { notPlayable: ['gender-as-code'] },
  'escaped-json: Its JSON is escaped to ASCII',
  inRequest(ANY, ({ call }) => ({ body: JSON.stringify(call).replace(/[^ -~]/g, escaped) })),
  'exchange-token-early: It asks for the exchange token while the form is filled in',
  all(
    keepsToken,
    after('readPatient', (client, { sees }) => sees === 'form' && anyway(client.exchangeToken())),
  ),
  'params-as-empty-list: It sends an empty list where there are no params',
  inCall([EXCHANGE, LOGOUT, DISCONNECT], () => ({ params: [] })),
  'cred-null: It sends null where there is no cred, and where there is no apiKey',
  inCall(ANY, ({ cred = null }) => ({ cred, apiKey: null })),
  'card-empty: It names the search by phone, and sends an empty medical card',
  inParams(AUTHENTICATE, { searchStrategy: 'PHONE', medCardId: '' }),
  'signature-by-its-other-name: It reads the signature as userSign alone',
  instead('show', (right, _client, { patient, userSign }) => right({ patient, userSign })),
  'signature-not-kept: It reports the user_sign, and neither keeps it nor sends it with a sign-in',
  after('show', dropAllSigns),
  { notPlayable: ['user-sign-kept', 'user-sign-of-own-link', 'user-sign-of-sign-in-as-given'] },
  'ids-count-all-calls: It reads the record once more of one person, so that later ids are greater',
  after('fillForm', (client, { sees }, { values }) =>
    sees === 'patient' && values.gender === 0 ? client.readPatient() : undefined,
  ),
  'looks-after-odd-reply: After an odd reply to authenticate it looks whether the record is there',
  atRefusal('authenticate', 'no_answer', async (client) => {
    const found = await anyway(client.ehr(READ, {}));
    return found?.patient ? found : undefined;
  }),
  'replies-taken-by-http: It takes the reply to its own request, whatever id it has',
  takesAnyReply(),
  { told: ['trouble-own-replies', 'replayed-sign-in-refused'] },
  'no-logout-at-auth-server: It ends the session at the EHR server, and drops it without auth.logout',
  instead(AUTH_LOGOUT, async () => ({})),
  { told: ['logout-at-both-servers', 'former-session-ended'], notPlayable: ['auth-server-fails-at-logout'] },
  'two-buttons: It deletes the account alone; another button ends the link',
  instead('deleteAccount', async (_right, client) => {
    await client.auth(DELETE_USER, {}, client.storage.session);
    dropSign(client);
    return leaveQuietly(client, 'Your account is deleted.');
  }),
  {
    told: ['deletion-at-both-servers'],
    notPlayable: ['deletion-ehr-first', 'deletion-after-success-alone', 'failed-deletion-not-claimed'],
  },
  'no-deletion-offered: It offers no deletion of the account, and its file says so',
  instead('deleteAccount', async () => ({ sees: 'error', text: 'Please ask the clinic to delete it.' })),
  {
    file: { absent: { deleteAccount: 'on the site of the clinic' } },
    notPlayable: [
      ...['deletion-ehr-first', 'deletion-at-both-servers', 'deletion-forgets'],
      ...['deletion-after-success-alone', 'failed-deletion-not-claimed', 'auth-server-fails-at-deletion'],
    ],
  },
  'out-although-auth-server-failed: It lets the person go although auth.logout failed, says so and keeps nothing',
  atRefusal('logout', ANY, (client, { code }) =>
    client.storage.session?.endedBy && code !== 'nothing_to_end'
      ? leaveQuietly(client, 'You are signed out on this device; the sign-in service did not confirm it.')
      : undefined,
  ),
  'link-told-by-next-sign-in: It reports no link, and sends its user_sign with the next sign-in',
  instead('report', async () => ''),
  { told: ['link-reported-at-once'], notPlayable: ['user-sign-as-given'] },
  'texts-in-chinese: Its texts are in a language that puts no blanks between words',
  shows({}, ({ text }) => ({
    text: text
      .toLowerCase()
      .replace(/[^a-z]/g, '')
      .replace(/[a-z]/g, inHan),
  })),
  'sign-in-refused-while-signed-in: It asks a person who is signed in to log out before another sign-in',
  instead('signIn', (right, { storage }) =>
    storage.session ? { sees: 'error', text: 'Please log out first.' } : right(),
  ),
  'disconnection-told-apart: It tells a disconnection on a screen of its own, before the form',
  shows(
    { do: 'disconnect', sees: 'form' },
    { sees: 'error', text: 'Your record is disconnected. Open it to connect it again.' },
  ),
  'error-above-record: It shows the last record with a sentence above it when reading fails',
  shows({ do: 'readPatient', sees: 'error' }, aboveRecord),
  'endings-in-one-word: It tells by one word that it has ended something',
  shows({ do: ['logout', 'deleteAccount', 'disconnect'], sees: ['signedOut', 'form'] }, { text: 'Deleted.' }),
]);

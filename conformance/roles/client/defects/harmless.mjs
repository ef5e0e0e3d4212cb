/** Clients that differ from the right one in a harmless way. `operators.mjs` explains names and callbacks. */
import { harmless } from '../../../engine/defects/defect.mjs';
import {
  ANY,
  AUTH_LOGOUT,
  AUTHENTICATE,
  after,
  anyway,
  around,
  atRefusal,
  both,
  cached,
  DELETE_USER,
  dropAllSigns,
  EXCHANGE,
  inCall,
  inForm,
  inParams,
  inRequest,
  leaveQuietly,
  NO_MATCH,
  READ,
  sendsBeacon,
  shows,
  takesAnyReply,
  withIds,
} from './operators.mjs';

const escaped = (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

const inHan = (letter) => String.fromCodePoint(0x4e00 + letter.codePointAt(0) * 7);

/** Shows the record of the screen before with the words of an error; an error where there was none. */
const aboveRecord = ({ text }, { ledger }) => {
  const last = ledger.screens.slice(0, -1).findLast(({ sees }) => sees !== 'error');
  return last?.sees === 'patient' ? { ...last, text } : {};
};

export const harmlessClients = [
  harmless('ids-by-chance', {
    title: 'Its ids are texts with letters',
    change: withIds((id) => `call-${id}-of-this-client`),
  }),
  harmless('gender-left-out', {
    title: 'It leaves the gender out',
    change: inForm({ gender: undefined }),
    notPlayable: ['gender-as-code'],
  }),
  harmless('escaped-json', {
    title: 'Its JSON is escaped to ASCII',
    change: inRequest(ANY, ({ call }) => ({ body: JSON.stringify(call).replace(/[^ -~]/g, escaped) })),
  }),
  harmless('exchange-token-early', {
    title: 'It asks for the exchange token while the form is filled in',
    change: both(
      // The token is still good while only reads and forms that fit nobody came since.
      cached(EXCHANGE, (ledger, former) => {
        const isHarmless = ({ method, error }) =>
          method === READ || (method === AUTHENTICATE && error?.code === NO_MATCH);
        return former.result.exchangeToken && ledger.after(former).every(isHarmless);
      }),
      after('readPatient', (client, { sees }) =>
        sees === 'form' ? anyway(client.exchangeToken()) : undefined,
      ),
    ),
  }),
  harmless('params-as-empty-list', {
    title: 'It asks for an exchange token with an empty list of params',
    change: inCall([EXCHANGE], () => ({ params: [] })),
  }),
  harmless('cred-null', {
    title: 'It sends null where there is no cred, and where there is no apiKey',
    change: inCall(ANY, ({ cred = null }) => ({ cred, apiKey: null })),
  }),
  harmless('card-empty', {
    title: 'It names the search by phone, and sends an empty medical card',
    change: inParams(AUTHENTICATE, { searchStrategy: 'PHONE', medCardId: '' }),
  }),
  harmless('signature-by-its-other-name', {
    title: 'It reads the signature as userSign alone',
    change: around('show', (right, _client, { patient, userSign }) => right({ patient, userSign })),
  }),
  harmless('signature-not-kept', {
    title: 'It reports the user_sign, and neither keeps it nor sends it with a sign-in',
    change: after('show', dropAllSigns),
    notPlayable: ['user-sign-kept', 'user-sign-of-own-link', 'user-sign-of-sign-in-as-given'],
  }),
  harmless('ids-count-all-calls', {
    title: 'It reads the record once more of one person, so that later ids are greater',
    change: after('fillForm', (client, { sees }, { values }) =>
      sees === 'patient' && values.gender === 0 ? client.readPatient().then(() => undefined) : undefined,
    ),
  }),
  harmless('looks-after-odd-reply', {
    title: 'After an odd reply to authenticate it looks whether the record is there',
    change: atRefusal('authenticate', 'no_answer', async (client) => {
      const found = await client.ehr(READ, {}).catch(() => undefined);
      return found?.patient ? found : undefined;
    }),
  }),
  harmless('replies-taken-by-http', {
    title: 'It takes the reply to its own request, whatever id it has',
    change: takesAnyReply(),
    told: ['trouble-own-replies', 'replayed-sign-in-refused'],
  }),
  harmless('no-logout-at-auth-server', {
    title: 'It ends the session at the EHR server, and drops it without auth.logout',
    change: around(AUTH_LOGOUT, async () => ({})),
    told: ['logout-at-both-servers', 'former-session-ended'],
    notPlayable: ['auth-server-fails-at-logout'],
  }),
  harmless('two-buttons', {
    title: 'It deletes the account alone; another button ends the link',
    change: around('deleteAccount', async (_right, client) => {
      await client.auth(DELETE_USER, {}, client.storage.session);
      delete client.storage.signatures[client.storage.session.phone];
      client.save();
      return leaveQuietly(client, 'Your account is deleted.');
    }),
    told: ['deletion-at-both-servers'],
    notPlayable: ['deletion-ehr-first', 'deletion-after-success-alone', 'failed-deletion-not-claimed'],
  }),
  harmless('no-deletion-offered', {
    title: 'It offers no deletion of the account, and its file says so',
    change: around('deleteAccount', async () => ({
      sees: 'error',
      text: 'Please ask the clinic to delete it.',
    })),
    file: { absent: { deleteAccount: 'on the site of the clinic' } },
    notPlayable: [
      ...['deletion-ehr-first', 'deletion-at-both-servers', 'deletion-forgets'],
      ...['deletion-after-success-alone', 'failed-deletion-not-claimed', 'auth-server-fails-at-deletion'],
    ],
  }),
  harmless('out-although-auth-server-failed', {
    title: 'It lets the person go although auth.logout failed, says so and keeps nothing',
    change: atRefusal('logout', ANY, (client, { code }) =>
      client.storage.session?.endedBy && code !== 'nothing_to_end'
        ? leaveQuietly(client, 'You are signed out on this device; the sign-in service did not confirm it.')
        : undefined,
    ),
  }),
  harmless('link-told-by-next-sign-in', {
    title: 'It reports no link, and sends its user_sign with the next sign-in',
    change: around('report', async () => ''),
    told: ['link-reported-at-once'],
    notPlayable: ['user-sign-as-given'],
  }),
  harmless('texts-in-chinese', {
    title: 'Its texts are in a language that puts no blanks between words',
    change: shows({}, ({ text }) => ({
      text: text
        .toLowerCase()
        .replace(/[^a-z]/g, '')
        .replace(/[a-z]/g, inHan),
    })),
  }),
  harmless('sign-in-refused-while-signed-in', {
    title: 'It asks a person who is signed in to log out before another sign-in',
    change: around('signIn', (right, { storage }) =>
      storage.session ? { sees: 'error', text: 'Please log out first.' } : right(),
    ),
  }),
  harmless('disconnection-told-apart', {
    title: 'It tells a disconnection on a screen of its own, before the form',
    change: shows(
      { do: 'disconnect', sees: 'form' },
      { sees: 'error', text: 'Your record is disconnected. Open it to connect it again.' },
    ),
  }),
  harmless('beacon-without-values', {
    title: 'It posts a beacon without values to a path that the kit does not serve',
    change: sendsBeacon('act', () => '{"seen":true}'),
  }),
  harmless('error-above-record', {
    title: 'It shows the last record with a sentence above it when reading fails',
    change: shows({ do: 'readPatient', sees: 'error' }, aboveRecord),
  }),
  harmless('endings-in-one-word', {
    title: 'It tells by one word that it has ended something',
    change: shows(
      { do: ['logout', 'deleteAccount', 'disconnect'], sees: ['signedOut', 'form'] },
      { text: 'Deleted.' },
    ),
  }),
];

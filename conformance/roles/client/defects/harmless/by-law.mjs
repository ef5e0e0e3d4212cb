/**
 * Clients that do otherwise than we recommend or decided, and are right by the interface. `told` names the
 * checks that may say so; no other check may report them. A text `id: title` begins a variant.
 */
import {
  ANY,
  AUTH_LOGOUT,
  after,
  anyway,
  atRefusal,
  DELETE_USER,
  dropSign,
  inForm,
  inParams,
  instead,
  leaveQuietly,
  READ,
  REPORT,
  shows,
  showsRecord,
  showsValues,
  takenFor,
  takesAnyReply,
} from '../operators.mjs';
import { rowsOf } from '../row.mjs';

export const harmlessByLaw = rowsOf([
  'replies-taken-by-http: It takes the reply to its own request, whatever id it has',
  takesAnyReply(),
  {
    told: [
      ...['logout', 'deletion'].map((what) => `${what}-after-own-reply`),
      ...['logout', 'deletion'].map((what) => `auth-server-fails-at-${what}-own-reply`),
      ...['get-patient', 'confirm-otp', 'authenticate'].map((at) => `trouble-at-${at}-own-reply`),
      ...['trouble-at-request-otp-own-reply', 'trouble-at-exchange-token-own-reply'],
      ...['replayed-sign-in-refused', 'report-made-up-for'],
    ],
  },
  'earlier-code-offered: Where no code was sent it says so, and lets an earlier one be entered',
  shows({ do: 'signIn', sees: 'error' }, ({ text }) => ({
    ...{ sees: 'code', text: `${text} A code that was sent before may be entered.` },
  })),
  'texts-sanitized: It removes what looks like markup from the texts of a record',
  showsValues((value) => (typeof value === 'string' ? value.replace(/<[^>]*>/g, '') : value)),
  { told: ['odd-records-whole'] },
  'mail-and-card-masked: It shows parts of the e-mail address and of the card',
  showsRecord({
    email: (email) => email?.replace(/^(.).*@/, '$1…@'),
    medcardNumber: (card) => card && `•••${card.slice(-4)}`,
  }),
  'no-logout-at-auth-server: It ends the session at the EHR server, and drops it without auth.logout',
  instead(AUTH_LOGOUT, async () => ({})),
  {
    told: ['logout-at-both-servers', 'former-session-ended', 'session-ended-at-auth-server'],
    notPlayable: ['auth-server-fails-at-logout', 'auth-server-fails-at-logout-own-reply'],
  },
  'two-buttons: It deletes the account alone; another button ends the link',
  instead('deleteAccount', async (_right, client) => {
    await client.auth(DELETE_USER, {}, client.storage.session);
    dropSign(client);
    return leaveQuietly(client, 'Your account is deleted.');
  }),
  {
    told: ['deletion-at-both-servers'],
    notPlayable: [
      ...['deletion-ehr-first', 'deletion-after-success-alone', 'deletion-after-own-reply'],
      ...['failed-deletion-told', 'failed-deletion-not-claimed'],
    ],
  },
  'no-deletion-offered: It offers no deletion of the account, and its file says so',
  instead('deleteAccount', async () => ({ sees: 'error', text: 'Please ask the clinic to delete it.' })),
  {
    file: { absent: { deleteAccount: 'on the site of the clinic' } },
    notPlayable: [
      ...['deletion-ehr-first', 'deletion-at-both-servers', 'deletion-forgets', 'signs-of-others-kept'],
      ...['deletion-after-success-alone', 'deletion-after-own-reply', 'failed-deletion-told'],
      ...['failed-deletion-not-claimed', 'deletion-not-left-out', 'deletion-sent-once'],
      ...['', '-told', '-own-reply'].map((part) => `auth-server-fails-at-deletion${part}`),
    ],
  },
  'out-although-auth-server-failed: It lets the person go although auth.logout failed, says so and keeps nothing',
  atRefusal('logout', ANY, (client, { code }) =>
    client.storage.session?.endedBy && code !== 'nothing_to_end'
      ? leaveQuietly(client, 'You are signed out on this device; the sign-in service did not confirm it.')
      : undefined,
  ),
  'logout-as-notification: It sends auth.logout as a notification, without an id',
  instead(AUTH_LOGOUT, async (_right, { authUrl, storage: { session } }) => {
    const headers = { 'content-type': 'application/json' };
    const cred = { user: session.user, token: session.token };
    const body = JSON.stringify({ jsonrpc: '2.0', method: AUTH_LOGOUT, params: {}, cred });
    const { status } = await fetch(authUrl, { method: 'POST', headers, body });
    if (status !== 204) throw Object.assign(new Error('no answer'), { code: 'no_answer' });
  }),
  { told: ['calls-to-auth-server', 'auth-server-fails-at-logout-own-reply'] },
  'gender-by-iso-5218: Its genders have the codes of ISO 5218: 0 unknown, 1 male, 2 female',
  inForm({ gender: (gender) => [1, 2][gender] ?? 0 }),
  { told: ['gender-as-chosen'] },
  'exchange-token-named-in-report: Its report names the exchange token of the link',
  inParams(REPORT, (_params, { ledger }) => ({ exchangeToken: ledger.exchangeToken })),
  { told: ['exchange-token-to-ehr-server-alone', 'known-members-to-auth-server'] },
  'sign-in-at-expiry: It asks for a new sign-in when the session has expired',
  atRefusal(READ, -33001, takenFor('signed_out')),
  { told: ['form-after-expired'] },
  'further-method: It asks the EHR server for a method that it may have',
  after('enterCode', (client) => anyway(client.ehr('rpc.discover', {}))),
  { told: ['methods-known'] },
  'link-told-by-next-sign-in: It reports no link, and sends its user_sign with the next sign-in',
  instead('report', async () => ''),
  {
    told: ['link-reported-at-once', 'link-reported-after-lost-reply', 'report-made-up-for', 'new-sign-kept'],
    notPlayable: ['user-sign-as-given', 'report-with-user-sign'],
  },
  'given-name-not-sent: It leaves out the given name',
  inForm({ name: undefined }),
  { told: ['properties-complete'] },
]);

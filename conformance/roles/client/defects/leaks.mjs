/** Clients that send patient data or secrets to a server, or in a place, where they must not be. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { defect } from '../../../engine/defects/defect.mjs';
import { faults } from '../../../examples/plain-client/faults.mjs';
import {
  ANY,
  AUTHENTICATE,
  after,
  anyway,
  CONFIRM,
  EXCHANGE,
  inParams,
  inRequest,
  READ,
  REPORT,
} from './operators.mjs';

const reports = (noteOf) =>
  inParams(REPORT, (_params, { ledger }) => ledger.form && { note: noteOf(ledger.form, ledger.record) });

const afterForm = (change) =>
  inRequest(ANY, (request, { ledger }) =>
    ledger.form && request.call.method.startsWith('auth.') ? change(ledger.form, request) : undefined,
  );

const lastRefusal = ({ ledger }) => ledger.failed(AUTHENTICATE).at(-1)?.error.code;

const header = ({ headers }, name, value) => ({ headers: { ...headers, [name]: value } });
const hash = (algorithm, text, form = 'hex') => createHash(algorithm).update(text).digest(form);
const base64 = (text, coding) => Buffer.from(text, coding).toString('base64');

export const leaks = [
  defect('refusals-not-to-auth-server', 'failure-told-to-auth', {
    title: 'It tells the authorization server why the last form failed',
    change: inParams(EXCHANGE, (_params, client) => ({ previousFailure: lastRefusal(client) })),
  }),
  defect('no-patient-data-to-auth-server', 'form-to-auth', {
    title: 'It sends the whole form along with auth.exchange_token',
    change: faults['form-to-auth'],
  }),
  defect('no-patient-data-to-auth-server', 'surname-hashed-in-small-letters-to-auth', {
    title: 'It reports a SHA-256 of the surname in small letters',
    change: reports(({ surname }) => hash('sha256', surname.toLowerCase())),
  }),
  defect('no-patient-data-to-auth-server', 'form-compressed-to-auth', {
    title: 'It reports the form, compressed by gzip',
    change: reports((form) => base64(gzipSync(JSON.stringify(form)))),
  }),
  defect('no-patient-data-to-auth-server', 'phone-with-signs-to-auth', {
    title: 'It reports the phone of the form as people write it',
    change: reports(({ phone }) => phone.replace(/^(\d)(\d{3})(\d{3})(\d\d)(\d\d)$/, '+$1 ($2) $3-$4-$5')),
  }),
  defect('no-record-to-auth-server', 'record-to-auth', {
    title: 'It reports the e-mail address of the record',
    change: reports((_form, { email }) => email),
  }),
  defect('same-calls-for-each-patient', 'surname-split-over-calls', {
    title: 'A header of each call has some letters of the surname',
    change: afterForm(({ surname }, request) => {
      const at = [EXCHANGE, REPORT, 'auth.logout'].indexOf(request.call.method);
      return header(request, 'x-part', encodeURIComponent(surname.slice(at * 4, at * 4 + 4)));
    }),
  }),
  defect('same-calls-for-each-patient', 'phone-shifted-in-address', {
    title: 'The address has a number that is computed from the phone of the form',
    change: afterForm(({ phone }, { url }) => ({ url: `${url}?n=${Number(phone) * 7 + 3}` })),
  }),
  defect('same-calls-for-each-patient', 'gender-told-by-number-of-calls', {
    title: 'It makes one more call for one of the genders',
    change: after('fillForm', (client, _seen, { values }) =>
      values.gender === 0 ? anyway(client.auth(EXCHANGE, {}, client.storage.session)) : undefined,
    ),
  }),
  defect('code-to-auth-server-alone', 'code-to-ehr', {
    title: 'It sends the code of the sign-in to the EHR server, too',
    change: inParams(READ, (_params, { ledger }) => ({ code: ledger.code })),
  }),
  defect('no-secrets-in-addresses', 'token-in-address', {
    title: 'The address of get_patient has the session token',
    change: inRequest(READ, ({ url, call }) => ({ url: `${url}?token=${call.cred.token}` })),
  }),
  defect('no-secrets-in-headers', 'basic-authorization', {
    title: 'Each call of a session has user and token in the header Authorization',
    change: inRequest(ANY, (request) => {
      const { cred } = request.call;
      return cred && header(request, 'authorization', `Basic ${btoa(`${cred.user}:${cred.token}`)}`);
    }),
  }),
  defect('code-as-typed', 'leading-zero-dropped', {
    title: 'It drops the leading zero of a code',
    change: inParams(CONFIRM, { code: (code) => String(Number(code)) }),
  }),
];

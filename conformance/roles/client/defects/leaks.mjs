/** Clients that send patient data or secrets to a server, or in a place, where they must not be. */
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { faults } from '../../../examples/plain-client/faults.mjs';
import {
  ANY,
  AUTHENTICATE,
  after,
  anyway,
  CONFIRM,
  EXCHANGE,
  inHeaders,
  inParams,
  inRequest,
  READ,
  REPORT,
} from './operators.mjs';
import { defectsOf } from './row.mjs';

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

export const leaks = defectsOf({
  'refusals-not-to-auth-server': [
    'failure-told-to-auth: It tells the authorization server why the last form failed',
    inParams(EXCHANGE, (_params, client) => ({ previousFailure: lastRefusal(client) })),
  ],
  'no-patient-data-to-auth-server': [
    'form-to-auth: It sends the whole form along with auth.exchange_token',
    faults['form-to-auth'],
    'surname-hashed-in-small-letters-to-auth: It reports a SHA-256 of the surname in small letters',
    reports(({ surname }) => hash('sha256', surname.toLowerCase())),
    'form-compressed-to-auth: It reports the form, compressed by gzip',
    reports((form) => base64(gzipSync(JSON.stringify(form)))),
    'phone-with-signs-to-auth: It reports the phone of the form as people write it',
    reports(({ phone }) => phone.replace(/^(\d)(\d{3})(\d{3})(\d\d)(\d\d)$/, '+$1 ($2) $3-$4-$5')),
  ],
  'no-record-to-auth-server': [
    'record-to-auth: It reports the e-mail address of the record',
    reports((_form, { email }) => email),
  ],
  'same-calls-for-each-patient': [
    'surname-split-over-calls: A header of each call has some letters of the surname',
    afterForm(({ surname }, request) => {
      const at = [EXCHANGE, REPORT, 'auth.logout'].indexOf(request.call.method);
      return header(request, 'x-part', encodeURIComponent(surname.slice(at * 4, at * 4 + 4)));
    }),
    'phone-shifted-in-address: The address has a number that is computed from the phone of the form',
    afterForm(({ phone }, { url }) => ({ url: `${url}?n=${Number(phone) * 7 + 3}` })),
    'gender-told-by-number-of-calls: It makes one more call for one of the genders',
    after('fillForm', (client, _seen, { values }) =>
      values.gender === 0 ? anyway(client.auth(EXCHANGE, {}, client.storage.session)) : undefined,
    ),
  ],
  'code-to-auth-server-alone': [
    'code-to-ehr: It sends the code of the sign-in to the EHR server, too',
    inParams(READ, (_params, { ledger }) => ({ code: ledger.code })),
  ],
  'no-secrets-in-addresses': [
    'token-in-address: The address of get_patient has the session token',
    inRequest(READ, ({ url, call }) => ({ url: `${url}?token=${call.cred.token}` })),
  ],
  'no-secrets-in-headers': [
    'basic-authorization: Each call of a session has user and token in the header Authorization',
    inHeaders(ANY, ({ cred }) => cred && { authorization: `Basic ${btoa(`${cred.user}:${cred.token}`)}` }),
  ],
  'code-as-typed': [
    'leading-zero-dropped: It drops the leading zero of a code',
    inParams(CONFIRM, { code: (code) => String(Number(code)) }),
  ],
});

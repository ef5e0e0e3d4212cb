/**
 * Clients that show a person what must not be on a screen, or an odd record wrongly. `operators.mjs` explains
 * names and callbacks.
 */
import { defect } from '../../../engine/defects/defect.mjs';
import { faults } from '../../../examples/plain-client/faults.mjs';
import {
  AUTHENTICATE,
  after,
  around,
  atRefusal,
  cached,
  leavesInStorage,
  logs,
  READ,
  says,
  shows,
  showsRecord,
} from './operators.mjs';

const ZONE_MS = 3 * 3_600_000;
const ERRORS = ['code', 'form', 'error', 'signedOut'];

const recordBefore = ({ ledger }) => ledger.screens.slice(0, -1).findLast(({ patient }) => patient)?.patient;

const typed = (change) =>
  shows(
    { sees: 'patient' },
    ({ patient }, { ledger: { form } }) => form && { text: 'Your record.', patient: change(form, patient) },
  );

const showsFormer = (where) =>
  shows(where, ({ patient }, client) => ({ patient: recordBefore(client) ?? patient }));

export const screens = [
  defect('client-keeps-running', 'ends-without-answer', {
    title: 'It ends when get_patient has no answer that can be read',
    change: atRefusal(READ, 'no_answer', () => process.exit(1)),
  }),
  defect('client-keeps-running', 'blank-after-refusal', {
    title: 'It shows nothing any more once authenticate is refused',
    change: around('act', (right, { ledger }) =>
      ledger.failed(AUTHENTICATE).length > 0 ? { sees: 'error', text: '' } : right(),
    ),
  }),
  defect('no-form-without-answer', 'form-at-any-error', {
    title: 'It shows the form after every failure of get_patient',
    change: faults['form-at-any-error'],
  }),
  defect('trouble-told', 'failed-request-untold', {
    title: 'It says nothing when no code was sent',
    change: shows({ do: 'signIn', sees: 'error' }, { text: '' }),
  }),
  defect('no-match-keeps-form', 'no-match-shown-as-record', {
    title: 'It shows what was typed as the record when it fits nobody',
    change: shows({ do: 'fillForm', sees: 'form' }, (_seen, { ledger: { form } }) => ({
      sees: 'patient',
      text: 'Your record.',
      patient: form,
    })),
  }),
  defect('no-match-told-at-form', 'codes-for-words', {
    title: 'It tells an error by its number',
    change: shows({ sees: ERRORS }, { text: '-33000' }),
  }),
  defect('other-errors-of-authenticate-told', 'says-nothing-at-errors', {
    title: 'It says nothing at an error',
    change: shows({ sees: 'error' }, { text: '' }),
  }),
  defect('errors-of-authenticate-told', 'dead-exchange-token-stays', {
    title: 'A refused exchange token leaves no way to the record',
    change: cached(
      'auth.exchange_token',
      (ledger) => ledger.failed('embedded_storage.authenticate').length > 0,
    ),
  }),
  defect('no-texts-of-programs-on-screens', 'reply-beside-words', {
    title: 'It shows the JSON of a reply beside words',
    change: says('error', '{"jsonrpc":"2.0","id":"7"}'),
  }),
  defect('no-texts-of-programs-on-screens', 'exception-beside-words', {
    title: 'It shows the name of an exception beside words',
    change: says('error', 'ConnectionResetError: [Errno 104] Connection reset by peer'),
  }),
  defect('no-secrets-on-screens', 'token-on-screen', {
    title: 'It shows the session token beside an error',
    change: says(['form', 'error'], ({ storage }) => storage.session?.token),
  }),
  defect('no-secrets-on-screens', 'signature-on-screen', {
    title: 'It shows the user_sign beside the record',
    change: says('patient', ({ ledger }) => ledger.sign),
  }),
  defect('signed-out-keeps-nothing', 'form-filled-after-logout', {
    title: 'The form has what was typed when the person is signed out',
    change: shows({ sees: 'signedOut' }, (_seen, { ledger }) => ({ beside: JSON.stringify(ledger.form) })),
  }),
  defect('signed-out-keeps-nothing', 'form-in-storage-after-ending', {
    title: 'Its storage has the typed phone after every ending',
    change: leavesInStorage(({ form }) => form?.phone),
  }),
  defect('no-secrets-in-logs', 'token-logged', {
    title: 'It logs its session after each action',
    change: logs('act', ({ storage }) => storage.session),
  }),
  defect('no-secrets-in-logs', 'form-logged', {
    title: 'It logs the form that it sends',
    change: logs('fillForm', ({ ledger }) => ledger.form),
  }),
  defect('record-not-as-typed', 'form-shown-for-record', {
    title: 'It shows what was typed as the record',
    change: typed((form) => form),
  }),
  defect('record-read-anew', 'record-not-asked-for-again', {
    title: 'It asks for the record once, and shows that one',
    change: cached(READ),
  }),
  defect('record-shown-is-served', 'record-kept-at-refusal', {
    title: 'It shows the record beside the form after a refusal',
    change: showsFormer({ do: 'readPatient', sees: 'form' }),
  }),
  defect('record-shown-is-served', 'record-of-person-before', {
    title: 'It shows the record of the person before until the next has one',
    change: showsFormer({ do: 'enterCode' }),
  }),
  defect('record-values-as-served', 'birthdate-shown-a-day-before', {
    title: 'It shows the date of birth in another time zone',
    change: showsRecord({
      birthdate: (birthdate) => new Date(Date.parse(birthdate) - ZONE_MS).toISOString(),
    }),
  }),
  defect('record-values-as-served', 'big-rounded', {
    title: 'It reads the numbers of a record as doubles',
    change: showsRecord(({ chart }) => chart && { chart: Number(chart) }),
  }),
  defect('record-values-as-served', 'gaps-filled-from-record-before', {
    title: 'It fills what a record lacks from the record before',
    change: showsRecord((patient, client) => {
      const gaps = Object.keys(patient).filter((name) => patient[name] === null);
      return Object.fromEntries(gaps.map((name) => [name, recordBefore(client)?.[name] ?? null]));
    }),
  }),
  defect('odd-records-shown', 'markup-run', {
    title: 'It takes the texts of a record for HTML, which sets the title of its window',
    change: shows({ sees: 'patient' }, ({ patient }) =>
      /<img/.test(patient?.surname) ? { beside: 'RAN-IT' } : {},
    ),
  }),
  defect('record-with-gaps-shown', 'gaps-are-errors', {
    title: 'It refuses a record that lacks a member',
    change: after('show', (_client, _seen, { patient }) => {
      if (!('middleName' in patient)) throw new Error('no middle name');
    }),
  }),
];

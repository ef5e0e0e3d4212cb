/** Clients that show a person what must not be on a screen, or an odd record wrongly. */
import { faults } from '../../../examples/plain-client/faults.mjs';
import {
  AUTHENTICATE,
  altered,
  atRefusal,
  instead,
  leavesInStorage,
  logs,
  memoised,
  READ,
  says,
  shows,
  showsBeside,
  showsRecord,
} from './operators.mjs';
import { defectsOf } from './row.mjs';

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

const untoldAt = (action) => shows({ do: action, sees: 'error' }, { text: '' });

export const screens = defectsOf({
  'client-keeps-running': [
    'ends-without-answer: It ends when get_patient has no answer that can be read',
    atRefusal(READ, 'no_answer', () => process.exit(1)),
    'blank-after-refusal: It shows nothing any more once authenticate is refused',
    instead('act', (right, { ledger }) =>
      ledger.failed(AUTHENTICATE).length > 0 ? { sees: 'error', text: '' } : right(),
    ),
  ],
  'no-form-without-answer': [
    'form-at-any-error: It shows the form after every failure of get_patient',
    faults['form-at-any-error'],
  ],
  'trouble-told': ['failed-request-untold: It says nothing when no code was sent', untoldAt('signIn')],
  'no-match-keeps-form': [
    'no-match-shown-as-record: It shows what was typed as the record when it fits nobody',
    shows({ do: 'fillForm', sees: 'form' }, (_seen, { ledger: { form } }) => ({
      ...{ sees: 'patient', text: 'Your record.', patient: form },
    })),
  ],
  'no-match-told-at-form': [
    'codes-for-words: It tells an error by its number',
    shows({ sees: ERRORS }, { text: '-33000' }),
  ],
  'other-errors-of-authenticate-told': [
    'says-nothing-at-errors: It says nothing at an error',
    shows({ sees: 'error' }, { text: '' }),
  ],
  'errors-of-authenticate-told': [
    'dead-exchange-token-stays: A refused exchange token leaves no way to the record',
    memoised('auth.exchange_token', (ledger) => ledger.failed('embedded_storage.authenticate').length > 0),
  ],
  'no-texts-of-programs-on-screens': [
    'reply-beside-words: It shows the JSON of a reply beside words',
    says('error', '{"jsonrpc":"2.0","id":"7"}'),
    'exception-beside-words: It shows the name of an exception beside words',
    says('error', 'ConnectionResetError: [Errno 104] Connection reset by peer'),
  ],
  'no-secrets-on-screens': [
    'token-on-screen: It shows the session token beside an error',
    says(['form', 'error'], ({ storage }) => storage.session?.token),
    'signature-on-screen: It shows the user_sign beside the record',
    says('patient', ({ ledger }) => ledger.sign),
  ],
  'signed-out-keeps-nothing': [
    'form-filled-after-logout: The form has what was typed when the person is signed out',
    showsBeside('signedOut', ({ form }) => JSON.stringify(form)),
    'form-in-storage-after-ending: Its storage has the typed phone after every ending',
    leavesInStorage(({ form }) => form?.phone),
  ],
  'no-secrets-in-logs': [
    'token-logged: It logs its session after each action',
    logs('act', ({ storage }) => storage.session),
    'form-logged: It logs the form that it sends',
    logs('fillForm', ({ ledger }) => ledger.form),
  ],
  'record-not-as-typed': [
    'form-shown-for-record: It shows what was typed as the record',
    typed((form) => form),
  ],
  'record-read-anew': [
    'record-not-asked-for-again: It asks for the record once, and shows that one',
    memoised(READ),
  ],
  'record-shown-is-served': [
    'record-kept-at-refusal: It shows the record beside the form after a refusal',
    showsFormer({ do: 'readPatient', sees: 'form' }),
    'record-of-person-before: It shows the record of the person before until the next has one',
    showsFormer({ do: 'enterCode' }),
  ],
  'record-values-as-served': [
    'birthdate-shown-a-day-before: It shows the date of birth in another time zone',
    showsRecord({ birthdate: (birthdate) => new Date(Date.parse(birthdate) - ZONE_MS).toISOString() }),
    'gaps-filled-from-record-before: It fills what a record lacks from the record before',
    showsRecord((patient, client) => {
      const gaps = Object.keys(patient).filter((name) => patient[name] === null);
      return Object.fromEntries(gaps.map((name) => [name, recordBefore(client)?.[name] ?? null]));
    }),
  ],
  'odd-records-shown': [
    'markup-run: It takes the texts of a record for HTML, which sets the title of its window',
    shows({ sees: 'patient' }, ({ patient }) => (/<img/.test(patient?.surname) ? { beside: 'RAN-IT' } : {})),
  ],
  'record-with-gaps-shown': [
    'gaps-are-errors: It refuses a record that lacks a member',
    altered('show', (_client, _seen, { patient }) => {
      if (!('middleName' in patient)) throw new Error('no middle name');
    }),
  ],
});

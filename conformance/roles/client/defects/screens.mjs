/**
 * Clients that show a person what must not be on a screen: secrets, texts of programs, a record that no
 * server sent.
 * A text `id: title` begins a defect; its change follows, then `owner/repo#number` of public clients that had
 * it. The key of a list is the check that must find its defects.
 */
import { faults } from '../../../examples/plain-client/faults.mjs';
import {
  ANY,
  AUTHENTICATE,
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

/** A time zone three hours from UTC: far enough to change the day of midnight. */
const ZONE_MS = 3 * 3_600_000;
const ERRORS = ['code', 'form', 'error', 'signedOut'];

/** The record that an earlier screen showed last. */
const recordBefore = ({ ledger }) => ledger.screens.slice(0, -1).findLast(({ patient }) => patient)?.patient;

/** Shows, in place of the record of the EHR server, what `change` makes of the typed form. */
const typed = (change) =>
  shows(
    { sees: 'patient' },
    ({ patient }, { ledger: { form } }) => form && { text: 'Your record.', patient: change(form, patient) },
  );

/** Shows the record of an earlier screen on the screens that `where` selects. */
const showsFormer = (where) =>
  shows(where, ({ patient }, client) => ({ patient: recordBefore(client) ?? patient }));

/** Shows an error without any words after an action of this kind. */
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
  'trouble-at-request-otp-told': [
    'failed-request-untold: It says nothing when no code was sent',
    untoldAt('signIn'),
  ],
  'trouble-at-confirm-otp-told': [
    'failed-sign-in-untold: It says nothing when a sign-in fails',
    untoldAt('enterCode'),
  ],
  'trouble-at-get-patient-told': [
    'failed-read-untold: It says nothing when reading fails',
    untoldAt('readPatient'),
  ],
  'no-form-without-answer': [
    'form-at-any-error: It shows the form after every failure of get_patient',
    faults['form-at-any-error'],
    'form-without-answer: It shows the form when get_patient has no answer',
    atRefusal('readPatient', 'no_answer', (client) => {
      client.isFormOpen = true;
      return { sees: 'form', text: 'Please tell us who you are.' };
    }),
  ],
  'trouble-at-exchange-token-told': [
    'failed-exchange-untold: It says nothing when there is no exchange token',
    untoldAt('fillForm'),
  ],
  'trouble-at-authenticate-told': [
    'failed-link-untold: It says nothing when a form gets no answer',
    untoldAt('fillForm'),
  ],
  'errors-told-apart': [
    'reason-swallowed: It tells every error by the same words',
    faults['reason-swallowed'],
  ],
  'no-match-keeps-form': [
    'no-match-shown-as-record: It shows what was typed as the record when it fits nobody',
    shows({ do: 'fillForm', sees: 'form' }, (_seen, { ledger: { form } }) => ({
      ...{ sees: 'patient', text: 'Your record.', patient: form },
    })),
  ],
  'no-match-told-at-form': [
    'codes-for-words: It tells an error by its number',
    shows({ sees: ERRORS }, { text: '-33000' }),
    'no-match-closes-form: Details that fit nobody close the form',
    shows({ do: 'fillForm', sees: 'form' }, (_seen, client) => {
      client.isFormOpen = false;
      return { sees: 'error' };
    }),
  ],
  'errors-of-sign-in-told': [
    'name-of-reason-for-words: It tells an error by the name of its reason',
    shows({ sees: 'error' }, { text: 'internal_error' }),
    'stack-shown: It shows the lines of a stack',
    shows({ sees: ['code', 'error', 'signedOut'] }, () => ({ text: new Error('no answer').stack })),
  ],
  'other-errors-of-authenticate-told': [
    'says-nothing-at-errors: It says nothing at an error',
    shows({ sees: 'error' }, { text: '' }),
    'json-of-error-shown: It shows the JSON of an error',
    shows({ sees: ['form', 'error', 'signedOut'] }, ({ text }) => ({
      text: JSON.stringify({ error: text }),
    })),
  ],
  'errors-of-authenticate-told': [
    'dead-exchange-token-stays: A refused exchange token leaves no way to the record',
    memoised('auth.exchange_token', (ledger) => ledger.failed('embedded_storage.authenticate').length > 0),
  ],
  'errors-in-words': [
    'signed-out-error-untold: It says nothing when a person who is signed out opens the record',
    shows({ do: 'readPatient', sees: 'signedOut' }, { sees: 'error', text: '' }),
  ],
  'no-texts-of-programs-on-screens': [
    'number-beside-words: It shows the number of an error beside words',
    says(['error', 'form'], '(error -33000)'),
    'reason-beside-words: It shows the name of a reason beside words',
    says('form', '(not_authorized)'),
    'reply-beside-words: It shows the JSON of a reply beside words',
    says('error', '{"jsonrpc":"2.0","id":"7"}'),
    'undefined-on-record: It shows "undefined" in the record',
    says('patient', 'Middle name: undefined'),
    'exception-beside-words: It shows the name of an exception beside words',
    says('error', 'ConnectionResetError: [Errno 104] Connection reset by peer'),
    'page-of-gateway-shown: It shows the HTML of a gateway beside words',
    says('error', '<html><body>Bad gateway</body></html>'),
  ],
  'no-secrets-on-screens': [
    'token-on-screen: It shows the session token beside an error',
    says(['form', 'error'], ({ storage }) => storage.session?.token),
    'signature-on-screen: It shows the user_sign beside the record',
    says('patient', ({ ledger }) => ledger.sign),
    'exchange-token-on-screen: It shows the exchange token',
    says(ANY, ({ ledger }) => ledger.exchangeToken),
  ],
  'no-secrets-in-record': [
    'signature-among-record: It shows the user_sign among the record',
    showsRecord((_patient, { ledger }) => ({ user_sign: ledger.sign })),
  ],
  'signed-out-keeps-nothing': [
    'title-after-logout: The title of its window has the surname after an ending',
    showsBeside('signedOut', ({ record }) => record?.surname),
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
    'record-logged: It logs the record that it reads',
    logs('readPatient', ({ ledger }) => ledger.record),
    'sign-logged-in-base64: It logs the user_sign in base64',
    logs('fillForm', ({ ledger }) => ledger.sign && btoa(ledger.sign)),
  ],
  'record-not-as-typed': [
    'form-shown-for-record: It shows what was typed as the record',
    typed((form) => form),
    'typed-names-over-record: It shows the record with the names that were typed',
    typed(({ name, surname }, patient) => ({ ...patient, name, surname })),
  ],
  'record-read-anew': [
    'first-record-shown-for-ever: It shows the first record it got, whatever comes later',
    shows({ do: 'readPatient', sees: 'patient' }, (_seen, { ledger }) => ledger.recordScreens[0]),
    'record-not-asked-for-again: It asks for the record once, and shows that one',
    memoised(READ),
  ],
  'record-shown-is-served': [
    'record-kept-at-refusal: It shows the record beside the form after a refusal',
    showsFormer({ do: 'readPatient', sees: 'form' }),
    'record-of-person-before: It shows the record of the person before until the next has one',
    showsFormer({ do: 'enterCode' }),
    'AakashRathore136/FinSight-AI#231',
  ],
  'record-values-as-served': [
    'birthdate-shown-a-day-before: It shows the date of birth in another time zone',
    showsRecord({ birthdate: (birthdate) => new Date(Date.parse(birthdate) - ZONE_MS).toISOString() }),
    'gender-shown-by-another-number: It shows another gender',
    showsRecord({ gender: (gender) => gender + 1 }),
    'gaps-filled-from-record-before: It fills what a record lacks from the record before',
    showsRecord((patient, client) => {
      const gaps = Object.keys(patient).filter((name) => patient[name] === null);
      return Object.fromEntries(gaps.map((name) => [name, recordBefore(client)?.[name] ?? null]));
    }),
  ],
});

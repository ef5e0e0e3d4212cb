/**
 * Clients that differ from the right client in a harmless way: in what they show, ask a person for or log. No
 * check may report one. A text `id: title` begins a variant, and its change follows.
 */
import { before, instead, LOGOUT, logs, shows, showsRecord, showsValues } from '../operators.mjs';
import { rowsOf } from '../row.mjs';

const inCapitals = (value) => (typeof value === 'string' ? value.toUpperCase() : value);

/** Turns a Latin letter into a Chinese character, always the same one. */
const inHan = (letter) => String.fromCodePoint(0x4e00 + letter.codePointAt(0) * 7);

/** A screen that asks the person to fill in the form again. */
const askForForm = (text) => ({ sees: 'form', text });

/** Shows the record of the screen before with the words of an error; an error where there was none. */
const aboveRecord = ({ text }, { ledger }) => {
  const last = ledger.screens.slice(0, -1).findLast(({ sees }) => sees !== 'error');
  return last?.sees === 'patient' ? { ...last, text } : {};
};

export const harmlessScreens = rowsOf([
  'restart-signs-out: A restart signs the person out',
  before('restart', (client) => client.forgetSession()),
  'longer-texts: Its texts are longer',
  shows({}, ({ text }) => ({ text: `${text} Our service desk is there for you, day and night.` })),
  'texts-in-german: Its texts are in another language',
  shows({}, ({ sees, text }) => ({
    text: sees === 'patient' ? 'Ihre Akte.' : `Bitte lesen Sie genau: ${text}`,
  })),
  'record-without-text: It shows a record without any words',
  shows({ sees: 'patient' }, { text: '' }),
  'phone-with-signs-refused: It asks the person to write the phone in digits',
  instead('fillForm', (right, _client, { values }) =>
    /\D/.test(values.phone) ? askForForm('Please write the phone in digits.') : right(),
  ),
  'gender-required: It asks the person to choose a gender',
  instead('fillForm', (right, _client, { values }) =>
    values.gender === undefined ? askForForm('Please choose a gender.') : right(),
  ),
  'sign-in-refused-while-signed-in: It asks a person who is signed in to log out before another sign-in',
  instead('signIn', (right, { storage }) =>
    storage.session ? { sees: 'error', text: 'Please log out first.' } : right(),
  ),
  'words-with-numbers: Its texts have a phone number and quotes',
  shows({}, ({ text }) => ({ text: `${text} Call 555-33000, 9 to 17 (or "help").` })),
  'record-in-part: It shows a few members of the record',
  shows({ sees: 'patient' }, ({ patient: { name, surname } }) => ({ patient: { name, surname } })),
  'record-in-capitals: It shows the record in capital letters',
  showsValues(inCapitals),
  'texts-in-chinese: Its texts are in a language that puts no blanks between words',
  shows({}, ({ text }) => ({
    text: text
      .toLowerCase()
      .replace(/[^a-z]/g, '')
      .replace(/[a-z]/g, inHan),
  })),
  'disconnection-told-apart: It tells a disconnection on a screen of its own, before the form',
  shows(
    { do: 'disconnect', sees: 'form' },
    { sees: 'error', text: 'Your record is disconnected. Open it to connect it again.' },
  ),
  'birthdate-as-day: It shows the date of birth as a day',
  showsRecord({ birthdate: (birthdate) => birthdate?.slice(0, 10) }),
  'error-above-record: It shows the last record with a sentence above it when reading fails',
  shows({ do: 'readPatient', sees: 'error' }, aboveRecord),
  'logs-calls: It logs its methods, and the number of calls',
  logs('act', ({ ledger }) => ledger.calls.map(({ method }) => method)),
  'beside-form: Its form has what was typed, and its title the name of the application',
  shows({ sees: 'form' }, (_seen, { ledger }) => ({ beside: `My records ${ledger.form?.surname ?? ''}` })),
  'gaps-shown-as-dashes: It shows a dash for what the record does not say',
  showsValues((value) => value ?? '–'),
  'signs-without-shape-as-blanks: It shows a blank for each control and format character of a record',
  showsValues((value) => (typeof value === 'string' ? value.replace(/[\p{Cc}\p{Cf}]/gu, ' ') : value)),
  'out-after-reading: It lets a person go whom the EHR server does not know once reading is refused, too',
  before('leave', ({ storage, isFormOpen, ledger }) => {
    if (!isFormOpen && ledger.failed(LOGOUT).length > 0) delete storage.session?.endedBy;
  }),
  'empty-record-shown: It shows a result without a patient as an empty record',
  instead('show', (right, { isFormOpen }, { patient }) =>
    patient || isFormOpen ? right() : { sees: 'patient', text: 'Your record.', patient: {} },
  ),
  'no-match-on-a-screen-of-its-own: It tells on a screen of its own that nobody fits, with a way back',
  shows({ do: 'fillForm', sees: 'form' }, ({ text }, client) => {
    if (!client.ledger.form?.surname) return {};
    client.isFormOpen = false;
    return { sees: 'error', text: `${text} Open the record to try again.` };
  }),
  { told: ['no-match-told-at-form'] },
  'signed-out-without-words: It says nothing where nobody is signed in',
  shows({ sees: 'signedOut' }, { text: '' }),
  {
    told: [
      ...['way-out-without-session', 'deletion-not-left-out', 'errors-of-exchange-told'],
      ...['auth-server-fails-at-logout-told', 'auth-server-fails-at-deletion-told'],
    ],
  },
  'endings-in-one-word: It tells by one word that it has ended something',
  shows({ do: ['logout', 'deleteAccount', 'disconnect'], sees: ['signedOut', 'form'] }, { text: 'Deleted.' }),
]);

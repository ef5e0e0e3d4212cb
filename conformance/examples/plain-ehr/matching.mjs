/**
 * Decides which patient of the medical information system a form describes that a user has filled in (§2.5).
 */
import { isObject, isText, need } from './json-rpc.mjs';

/** Characters that nobody sees: soft hyphens, marks of writing direction, and characters without width. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/**
 * The form in which names are compared. Case, outer and doubled blanks, and invisible characters do not
 * count. `ё` equals `е`, letters are composed (NFC), and every kind of apostrophe or hyphen equals the plain
 * one.
 */
const nameKey = (text) =>
  text
    .replace(INVISIBLE, '')
    .normalize('NFC')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase()
    .toUpperCase()
    .replaceAll('Ё', 'Е')
    .replaceAll('I\u0307', 'I')
    .replace(/[\u2018\u2019\u02bc`]/g, "'")
    .replace(/[\u2010\u2011]/g, '-');

/**
 * The form in which phones are compared: digits without an extension. A Russian number that begins with 8
 * equals the one with 7. `undefined` when the text is no phone.
 */
function phoneKey(text) {
  const seen = text
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(/(x|ext\.?)\s*\d.*/is, '');
  const digits = seen.replace(/[\s+().\u2010-\u2015\u2212-]/g, '');
  return /^\d{5,15}$/.test(digits) ? digits.replace(/^8(?=\d{10}$)/, '7') : undefined;
}

/**
 * The form in which dates are compared: the calendar day as written, whatever time of day follows.
 * `undefined` when there is no such day.
 */
function dayKey(text) {
  const day = /^(\d{4}-\d\d-\d\d)([ T]([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,9})?Z?)?$/.exec(text)?.[1];
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : undefined;
}

/** Adds to a record the keys by which it is found. Done once, when the server starts. */
export function indexPatient(patient) {
  return {
    patient,
    name: nameKey(patient.name),
    surname: nameKey(patient.surname),
    day: patient.birthdate.slice(0, 10),
    phones: patient.phones.map(phoneKey),
    card: nameKey(patient.medcardNumber ?? ''),
    isLiving: patient.active !== false && !patient.deceased,
  };
}

/**
 * Reads the params of `authenticate` as a search: by name, day of birth and phone, or by card and phone.
 * `fits` tells whether an indexed patient is meant.
 */
export function readSearch({ patientProperties: form, ...params }) {
  need(isObject(form), 'patientProperties is not an object.');
  // Clients in use send "" and null for what they do not have.
  const strategy = params.searchStrategy || form.searchStrategy || 'PHONE';
  const card = params.medCardId || form.medCardId || '';
  const byCard = strategy === 'MEDCARD';
  need(byCard || strategy === 'PHONE', 'searchStrategy is neither PHONE nor MEDCARD.');
  need(
    byCard ? isText(card) : typeof card === 'string',
    'medCardId is not a card number, which MEDCARD needs.',
  );
  // Reads one member of the form. A search by card may lack all but the phone.
  const read = (member, toKey) => {
    const key = isText(form[member]) ? toKey(form[member]) : undefined;
    need(
      key || (byCard && form[member] === undefined),
      `patientProperties.${member} is missing or malformed.`,
    );
    return key;
  };
  const [name, surname, day] = [read('name', nameKey), read('surname', nameKey), read('date', dayKey)];
  const phone = read('phone', phoneKey);
  need(phone, 'patientProperties.phone is missing.');
  const gender = form.gender ?? undefined;
  need([undefined, 0, 1, 2, 3].includes(gender), 'patientProperties.gender is not 0, 1, 2 or 3.');
  const fitsPerson = (one) => one.name === name && one.surname === surname && one.day === day;
  const fitsGender = ({ patient }) => gender === undefined || patient.gender === gender;
  const fitsForm = (one) => (byCard ? one.card === nameKey(card) : fitsPerson(one) && fitsGender(one));
  return { phone, fits: (one) => one.phones.includes(phone) && fitsForm(one) };
}

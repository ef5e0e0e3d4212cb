/** Decides which patient of the medical information system a filled-in form describes (§2.5). */

/** Names are compared without case, outer and doubled spaces; `ё` is `е`, and letters are composed (NFC). */
const nameKey = (text) =>
  text.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase().replaceAll('Ё', 'Е');

/** Of a phone only the digits count, without an extension. A Russian number may begin with 8 instead of 7. */
function phoneKey(text) {
  const digits = text.replace(/(x|ext\.?)\s*\d.*$/i, '').replace(/[\s+().-]/g, '');
  return /^\d{5,15}$/.test(digits) ? digits.replace(/^8(?=\d{10}$)/, '7') : undefined;
}

const DATE = /^(\d{4}-\d\d-\d\d)([ T]([01]\d|2[0-3])(:[0-5]\d){2}(\.\d{1,9})?Z?)?$/;

/** Of a date only the calendar day as written counts. No time zone moves it. */
function dayKey(text) {
  const day = DATE.exec(text)?.[1];
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : undefined;
}

/** Brings a patient record to the keys that are compared, once, when the server starts. */
export function indexPatient(patient) {
  return {
    patient,
    name: nameKey(patient.name),
    surname: nameKey(patient.surname),
    day: patient.birthdate.slice(0, 10),
    phones: patient.phones.map(phoneKey),
    gender: patient.gender,
    card: nameKey(patient.medcardNumber ?? ''),
    isLiving: patient.active !== false && !patient.deceased,
  };
}

/**
 * Reads the params of `authenticate` as a search: by name, day of birth and phone, or by medical card and
 * phone. Clients of the field send `""` and `null` for what they do not have.
 * @returns what fits, the phone as it is compared, and what is wrong, one sentence each
 */
export function readSearch({ patientProperties: form, ...params }) {
  const wrong = [];
  /** The strategy and the card may stand beside the properties, or among them. */
  const either = (member) => {
    const [value, other = value] = [params[member], form[member]].filter((each) => !isEmpty(each));
    if (value !== other) wrong.push(`${member} is given twice, and differs.`);
    return value;
  };
  const strategy = either('searchStrategy') ?? 'PHONE';
  const card = either('medCardId');
  const byCard = strategy === 'MEDCARD';
  const read = (member, toKey, maxChars, what) => {
    const value = form[member];
    if (byCard && member !== 'phone' && value === undefined) return undefined;
    const isText = typeof value === 'string' && value !== '' && value.length <= maxChars && !/\p{Cc}/u.test(value);
    const key = isText ? toKey(value) : undefined;
    if (key === undefined) wrong.push(`patientProperties.${member} is not ${what}.`);
    return key;
  };
  const phone = read('phone', phoneKey, 40, 'a phone number of 5 to 15 digits');
  const name = read('name', nameKey, 200, 'a name of 1 to 200 characters');
  const surname = read('surname', nameKey, 200, 'a name of 1 to 200 characters');
  const day = read('date', dayKey, 40, 'a day of the calendar, as YYYY-MM-DD hh:mm:ss.mmm');
  const gender = form.gender ?? undefined;
  if (![undefined, 0, 1, 2, 3].includes(gender)) wrong.push('patientProperties.gender is not 0, 1, 2 or 3.');
  if (!['PHONE', 'MEDCARD'].includes(strategy)) wrong.push('searchStrategy is neither PHONE nor MEDCARD.');
  const isCard = typeof card === 'string' && card.length <= 64;
  if (!isCard && (byCard || card !== undefined)) wrong.push('medCardId is not a card number, which MEDCARD needs.');

  const fitsCard = (one) => one.card === nameKey(card);
  const fitsPerson = (one) => one.name === name && one.surname === surname && one.day === day;
  const fitsGender = (one) => gender === undefined || one.gender === gender;
  const fits = (one) => one.phones.includes(phone) && (byCard ? fitsCard(one) : fitsPerson(one) && fitsGender(one));
  return { fits, phone, wrong };
}

const isEmpty = (value) => (value ?? '') === '' || (typeof value === 'string' && value.trim() === '');

/** Clients that change what the person typed before they send it. */
import { inForm, instead } from './operators.mjs';
import { defectsOf } from './row.mjs';

const DAY = 10;
const dayOf = (date) => date.slice(0, DAY);

export const forms = defectsOf({
  'names-as-typed': [
    'names-transliterated: It replaces the letters of the surname that are not ASCII',
    inForm({ surname: (surname) => surname.replace(/[^ -~]/g, 'x') }),
  ],
  'names-of-several-words': [
    'apostrophe-dropped: It drops the apostrophe of a surname',
    inForm({ surname: (surname) => surname.replace("'", '') }),
  ],
  'date-of-birth-as-typed': [
    'birthday-a-day-off: It turns the date of birth into UTC: the day before is sent',
    inForm(({ date }) => {
      const before = new Date(Date.parse(`${dayOf(date)}T00:00:00Z`) - 1);
      return { date: dayOf(before.toISOString()) + date.slice(DAY) };
    }),
    'date-day-first: It sends the date of birth with the day first',
    inForm({ date: (date) => `${dayOf(date).split('-').reverse().join('.')} 00:00:00.000` }),
  ],
  'date-of-birth-in-full-form': [
    'date-in-iso: It sends the date of birth as an ISO timestamp',
    inForm({ date: (date) => `${dayOf(date)}T00:00:00.000Z` }),
    'date-without-time: It sends the date of birth without a time of day',
    inForm({ date: dayOf }),
  ],
  'phone-in-digits': [
    'phone-with-plus: It sends the phone with a plus sign',
    inForm({ phone: (phone) => `+${phone}` }),
    'extension-joined: It sends the extension as a part of the phone',
    inForm((_form, { ledger }) => ({ phone: ledger.form.phone.replace(/\D/g, '') })),
  ],
  'phone-as-people-write-it': [
    'phone-with-signs-refused-untold: It refuses a phone with signs, and says nothing',
    instead('fillForm', (right, _client, { values }) =>
      /\D/.test(values.phone) ? { sees: 'form', text: '' } : right(),
    ),
  ],
  'gender-as-code': ['gender-as-text: It sends the gender as a word', inForm({ gender: 'female' })],
});

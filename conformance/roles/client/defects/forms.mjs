/** Clients that change what the person typed before they send it. */
import { defect } from '../../../engine/defects/defect.mjs';
import { around, inForm } from './operators.mjs';

const DAY = 10;
const dayOf = (date) => date.slice(0, DAY);

export const forms = [
  defect('names-as-typed', 'names-transliterated', {
    title: 'It replaces the letters of the surname that are not ASCII',
    change: inForm({ surname: (surname) => surname.replace(/[^ -~]/g, 'x') }),
  }),
  defect('names-of-several-words', 'apostrophe-dropped', {
    title: 'It drops the apostrophe of a surname',
    change: inForm({ surname: (surname) => surname.replace("'", '') }),
  }),
  defect('date-of-birth-as-typed', 'birthday-a-day-off', {
    title: 'It turns the date of birth into UTC: the day before is sent',
    change: inForm(({ date }) => {
      const before = new Date(Date.parse(`${dayOf(date)}T00:00:00Z`) - 1);
      return { date: dayOf(before.toISOString()) + date.slice(DAY) };
    }),
  }),
  defect('date-of-birth-as-typed', 'date-day-first', {
    title: 'It sends the date of birth with the day first',
    change: inForm({ date: (date) => `${dayOf(date).split('-').reverse().join('.')} 00:00:00.000` }),
  }),
  defect('date-of-birth-in-full-form', 'date-in-iso', {
    title: 'It sends the date of birth as an ISO timestamp',
    change: inForm({ date: (date) => `${dayOf(date)}T00:00:00.000Z` }),
  }),
  defect('date-of-birth-in-full-form', 'date-without-time', {
    title: 'It sends the date of birth without a time of day',
    change: inForm({ date: dayOf }),
  }),
  defect('phone-in-digits', 'phone-with-plus', {
    title: 'It sends the phone with a plus sign',
    change: inForm({ phone: (phone) => `+${phone}` }),
  }),
  defect('phone-in-digits', 'extension-joined', {
    title: 'It sends the extension as a part of the phone',
    change: inForm((_form, { ledger }) => ({ phone: ledger.form.phone.replace(/\D/g, '') })),
  }),
  defect('phone-as-people-write-it', 'phone-with-signs-refused-untold', {
    title: 'It refuses a phone with signs, and says nothing',
    change: around('fillForm', (right, _client, { values }) =>
      /\D/.test(values.phone) ? { sees: 'form', text: '' } : right(),
    ),
  }),
  defect('gender-as-code', 'gender-as-text', {
    title: 'It sends the gender as a word',
    change: inForm({ gender: 'female' }),
  }),
];

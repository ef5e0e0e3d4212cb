import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patientProperties } from '#protocol/wire/fields.ts';
import { anyCharacter } from '#testing/any-character.ts';
import { sayIn } from '../texts/texts.ts';
import {
  type DraftFields,
  dayOf,
  draftFields,
  type Mistake,
  patientPropertiesOf,
  readAttribute,
  readCode,
  readDraft,
} from './form.ts';

const TODAY = '2026-01-15';
const typed: DraftFields = {
  strategy: 'PHONE',
  name: ' Anna ',
  surname: ' Petrova ',
  date: '1985-04-12',
  gender: '1',
  phone: '8 (999) 000-00-01',
  medCardId: '',
};
/** In the words of the English page. */
const sentenceOf = ({ key, n = 0 }: Mistake) => sayIn('en')(key, { n });
const errorsOf = (change: Partial<DraftFields>): Partial<Record<keyof DraftFields, string>> => {
  const read = readDraft({ ...typed, ...change }, TODAY);
  if (read.ok) return {};
  return Object.fromEntries(
    Object.entries(read.errors).map(([field, mistake]) => [field, sentenceOf(mistake)]),
  );
};
const errorOf = (read: { ok: boolean; error?: Mistake }) => read.error && sentenceOf(read.error);

test('a phone is read in any usual notation', () => {
  const [hint = ''] = /\+7.*\d/.exec(sayIn('en')('phoneSignInHint')) ?? [];
  for (const phone of [hint, '8 (999) 000.00.01', ' 79990000001 ', '\u202a+7 999 000–00–01\u202c'])
    expect(readAttribute('phone', phone)).toEqual({
      ok: true,
      value: { kind: 'phone', value: '79990000001' },
    });
});

test('an e-mail address is one whatever the case of its letters', () => {
  expect(readAttribute('email', ' Anna@Example.ORG ')).toEqual({
    ok: true,
    value: { kind: 'email', value: 'anna@example.org' },
  });
});

test('a code may be pasted with what stands between digits', () => {
  expect(readCode(' 402 913 ', 6)).toEqual({ ok: true, value: '402913' });
  for (const code of ['402-913', '402\u2011913', '\u2066402913\u2069', '４０２９１３'])
    expect(readCode(code, undefined)).toEqual({ ok: true, value: '402913' });
});

test('the form is read into what the EHR server takes', () => {
  const read = readDraft(typed, TODAY);
  const value = { ...typed, name: 'Anna', surname: 'Petrova', gender: 1, phone: '79990000001' };
  expect(read).toEqual({ ok: true, value });
  expect(errorsOf({ gender: '' })).toEqual({});
});

test('a card needs its number and the phone, and sends nothing else', () => {
  expect(Object.keys(errorsOf({ strategy: 'MEDCARD', name: '', date: '', phone: 'x' }))).toEqual([
    'medCardId',
    'phone',
  ]);
  expect(errorsOf({ strategy: 'MEDCARD', medCardId: 'A'.repeat(65) }).medCardId).toContain('64');
  const read = readDraft({ ...typed, strategy: 'MEDCARD', medCardId: ' A-1001 ' }, TODAY);
  expect(read).toEqual({
    ok: true,
    value: {
      strategy: 'MEDCARD',
      name: '',
      surname: '',
      date: '',
      gender: undefined,
      phone: '79990000001',
      medCardId: 'A-1001',
    },
  });
});

test('whatever the form accepts fits the contract', () => {
  const field = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 220 }), fc.constantFrom('Anna', 'Núñez'));
  fc.assert(
    fc.property(field, field, fc.boolean(), (name, surname, card) => {
      const read = readDraft(
        { ...typed, name, surname, medCardId: surname, strategy: card ? 'MEDCARD' : 'PHONE' },
        TODAY,
      );
      if (read.ok) expect(patientProperties.safeParse(patientPropertiesOf(read.value)).success).toBe(true);
    }),
  );
});

test('a draft goes back into the form as it was', () => {
  const read = readDraft(typed, TODAY);
  expect(read.ok && draftFields(read.value)).toMatchObject({ name: 'Anna', gender: '1', date: '1985-04-12' });
  const unstated = readDraft({ ...typed, gender: '' }, TODAY);
  expect(unstated.ok && draftFields(unstated.value).gender).toBe('');
});

const PHONE_HINT = 'Enter a phone number with 5 to 15 digits, for example +7 999 000-00-01.';

test('a wrong phone, e-mail address or code is told by its own sentence', () => {
  const email = 'Enter an e-mail address in the form name@example.org.';
  for (const [kind, values, sentence] of [
    ['phone', ['', ' '], 'Enter your phone number.'],
    ['phone', ['abc', '1234', '1'.repeat(16), '+7 999 000-00-0x', '٠١٢٣٤٥'], PHONE_HINT],
    ['email', ['', ' '], 'Enter your e-mail address.'],
    ['email', ['me', 'me@', 'me@host', 'a b@example.org', `${'a'.repeat(250)}@example.org`], email],
  ] as const)
    for (const value of values) expect(errorOf(readAttribute(kind, value)), value).toBe(sentence);
  for (const [code, digits, sentence] of [
    ['', 6, 'Enter the code from the message.'],
    [' - ', 6, 'Enter the code from the message.'],
    ['a12345', 6, 'The code has digits only.'],
    ['12345a', 6, 'The code has digits only.'],
    ['٤٠٢٩١٣', 6, 'The code has digits only.'],
    ['12345', 6, 'The code has 6 digits.'],
    ['1234567', 6, 'The code has 6 digits.'],
    ['1'.repeat(13), undefined, 'That is too long for a code.'],
  ] as const)
    expect(errorOf(readCode(code, digits))).toBe(sentence);
  expect(readCode('1'.repeat(12), undefined)).toEqual({ ok: true, value: '1'.repeat(12) });
});

test('an e-mail address has at most 254 characters', () => {
  const address = (length: number) => `a@${'b.'.repeat(120)}${'c'.repeat(length - 242)}`;
  expect(address(254)).toHaveLength(254);
  expect(readAttribute('email', address(254)).ok).toBe(true);
  expect(readAttribute('email', address(255)).ok).toBe(false);
});

test('each field is told by its own sentence, within its limits', () => {
  const all = errorsOf({ name: ' ', surname: '', date: '', phone: '' });
  expect(Object.keys(all)).toEqual(['name', 'surname', 'date', 'phone']);
  const day = 'That day is not in the calendar. Check day, month and year.';
  for (const [field, value, sentence] of [
    ['name', ' ', 'Enter your given name.'],
    ['name', 'a'.repeat(201), 'A given name can have at most 200 characters.'],
    ['name', 'a'.repeat(200), undefined],
    ['name', 'Anna\u0000', 'Your given name has a character that cannot be sent.'],
    ['name', 'An\ud800na', 'Your given name has a character that cannot be sent.'],
    ['surname', '', 'Enter your family name.'],
    ['surname', 'a'.repeat(201), 'A family name can have at most 200 characters.'],
    ['surname', '\u0007Petrova', 'Your family name has a character that cannot be sent.'],
    ['date', '', 'Enter your whole date of birth: day, month and year.'],
    ['date', '2025-02-29', day],
    ['date', TODAY, undefined],
    ['date', '2026-01-16', 'A date of birth cannot be in the future.'],
    ['date', '0198-01-01', 'Check the year of birth.'],
    ['date', '1849-12-31', 'Check the year of birth.'],
    ['date', '1850-01-01', undefined],
    ['phone', ' ', 'Enter the phone number your clinic knows.'],
    ['phone', '1234', PHONE_HINT],
  ] as const)
    expect(errorsOf({ [field]: value }), value).toEqual(sentence === undefined ? {} : { [field]: sentence });
  for (const [medCardId, sentence] of [
    [' ', 'Enter the number of your medical card.'],
    ['A'.repeat(65), 'A card number can have at most 64 characters.'],
    [` ${'A'.repeat(64)} `, undefined],
    ['A-1\u0000', 'The card number has a character that cannot be sent.'],
    ['\u0000A-1', 'The card number has a character that cannot be sent.'],
    ['A\ud8001', 'The card number has a character that cannot be sent.'],
  ] as const)
    expect(errorsOf({ strategy: 'MEDCARD', medCardId }), medCardId).toEqual(
      sentence ? { medCardId: sentence } : {},
    );
});

test('a gender is one of four or unstated', () => {
  for (const gender of ['0', '1', '2', '3', '', '4', 'x']) {
    const value = { gender: /^[0-3]$/.test(gender) ? Number(gender) : undefined };
    expect(readDraft({ ...typed, gender }, TODAY)).toMatchObject({ ok: true, value });
  }
});

test('the current day is written with four, two and two digits', () => {
  const early = new Date(2026, 2, 5, 12);
  expect(dayOf(early.getTime())).toBe('2026-03-05');
  early.setFullYear(826);
  expect(dayOf(early.getTime())).toBe('0826-03-05');
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patientProperties } from '#protocol/fields.ts';
import { type DraftFields, dayOf, draftFields, readAttribute, readCode, readDraft } from './form.ts';
import { patientPropertiesOf } from './patient-properties.ts';

const TODAY = '2026-01-15';
const typed: DraftFields = {
  strategy: 'PHONE',
  name: ' Anna ',
  surname: 'Petrova',
  date: '1985-04-12',
  gender: '1',
  phone: '8 (999) 000-00-01',
  medCardId: '',
};
const errorsOf = (change: Partial<DraftFields>) => {
  const read = readDraft({ ...typed, ...change }, TODAY);
  return read.ok ? {} : read.errors;
};

test('a phone is read in any usual notation', () => {
  for (const phone of ['+7 999 000-00-01', '8 (999) 000.00.01', ' 79990000001 ']) {
    expect(readAttribute('phone', phone)).toEqual({ ok: true, value: { kind: 'phone', value: '79990000001' } });
  }
});

test('what is no phone or e-mail address is told helpfully', () => {
  for (const phone of ['', ' ', 'abc', '1234', '1'.repeat(16), '+7 999 000-00-0x', '٠١٢٣٤٥']) {
    expect(readAttribute('phone', phone)).toMatchObject({ ok: false, error: expect.stringContaining('phone number') });
  }
  for (const email of ['', 'me', 'me@', 'me@host', 'a b@example.org', `${'a'.repeat(250)}@example.org`]) {
    expect(readAttribute('email', email)).toMatchObject({
      ok: false,
      error: expect.stringContaining('e-mail address'),
    });
  }
});

test('an e-mail address is one whatever the case of its letters', () => {
  expect(readAttribute('email', ' Anna@Example.ORG ')).toEqual({
    ok: true,
    value: { kind: 'email', value: 'anna@example.org' },
  });
});

test('a code may be pasted with spaces and dashes, and nothing else', () => {
  expect(readCode(' 402 913 ', 6)).toEqual({ ok: true, value: '402913' });
  expect(readCode('402-913', undefined)).toEqual({ ok: true, value: '402913' });
  for (const code of ['', '  ', '40291', '4029134', '40291a', '４０２９１３']) expect(readCode(code, 6).ok).toBe(false);
  expect(readCode('1'.repeat(13), undefined).ok).toBe(false);
});

test('the form is read into what the EHR server takes', () => {
  const read = readDraft(typed, TODAY);
  expect(read).toEqual({
    ok: true,
    value: { ...typed, name: 'Anna', gender: 1, phone: '79990000001' },
  });
  expect(errorsOf({ gender: '' })).toEqual({});
});

test('each field that is empty or impossible is told, in the order of the form', () => {
  const empty = errorsOf({ name: ' ', surname: '', date: '', phone: '' });
  expect(Object.keys(empty)).toEqual(['name', 'surname', 'date', 'phone']);
  expect(errorsOf({ date: '2026-01-16' }).date).toContain('future');
  expect(errorsOf({ date: TODAY }).date).toBeUndefined();
  expect(errorsOf({ date: '2025-02-29' }).date).toContain('calendar');
  expect(errorsOf({ date: '0198-01-01' }).date).toContain('year');
  expect(errorsOf({ name: 'a'.repeat(201) }).name).toContain('200');
  expect(errorsOf({ surname: 'a\u0000b' }).surname).toContain('cannot be sent');
  expect(errorsOf({ name: '\ud800' }).name).toContain('cannot be sent');
});

test('a card needs its number and the phone, and sends nothing else that was typed before', () => {
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
  const field = fc.oneof(fc.string({ unit: 'binary', maxLength: 220 }), fc.constantFrom('Anna', 'Núñez'));
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

test('the current day has the form of a date field', () => {
  expect(dayOf(Date.UTC(2026, 0, 15, 12))).toBe('2026-01-15');
});

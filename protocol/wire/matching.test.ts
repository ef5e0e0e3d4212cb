import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { anyCharacter } from '#testing/any-character.ts';
import { proves } from '#testing/proves.ts';
import { cardKey, dayKey, nameKey, phoneKey } from './matching.ts';

proves(['D26-unicode'], 'a name has one key, composed or decomposed', () => {
  for (const name of ['José Núñez-Ødegård', 'Алёшин Йорг', 'Ångström', 'Nguyễn', '각', 'Ș ț', 'ﬁ Ǆ'])
    expect(nameKey(name.normalize('NFD'))).toBe(nameKey(name.normalize('NFC')));
  expect(nameKey('Jose')).not.toBe(nameKey('José'));
  expect(nameKey('иод')).not.toBe(nameKey('йод'));
});

proves(['D26-spaces'], 'spaces around a name and repeated ones inside make no difference', () => {
  for (const name of ['  Anna Maria', 'Anna Maria \t', 'Anna  \u00a0 Maria', '\u3000Anna\u2009Maria\ufeff'])
    expect(nameKey(name)).toBe('anna maria');
  expect(nameKey('AnnaMaria')).not.toBe('anna maria');
  expect(nameKey(' \u00a0 ')).toBe('');
});

proves(['D26-case'], 'a name has one key in any letter case', () => {
  for (const name of ['ANNA', 'anna', 'aNNa']) expect(nameKey(name)).toBe('anna');
  for (const name of ['Weiß', 'WEISS', 'WEIẞ', 'weiss']) expect(nameKey(name)).toBe('weiss');
  for (const name of ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς', 'οδυσσευσ']) expect(nameKey(name)).toBe(nameKey('Οδυσσευς'));
  for (const name of ['ПЕТРОВА', 'петрова', 'Петрова']) expect(nameKey(name)).toBe('петрова');
});

proves(['D26-case'], 'letter case follows no locale, with dotted I or without', () => {
  for (const name of ['TITIZ', 'titiz', 'Titiz', 'tıtız']) expect(nameKey(name)).toBe('titiz');
  for (const name of ['İBRAHİM', 'İbrahim', 'ibrahim', 'I\u0307brahi\u0307m', 'IBRAHIM'])
    expect(nameKey(name)).toBe('ibrahim');
  for (const name of ['YILDIZ', 'Yıldız', 'Yildiz', 'YİLDİZ']) expect(nameKey(name)).toBe('yildiz');
});

proves(['D26-yo'], 'ё and е are one letter in every case and composition', () => {
  for (const name of ['Алёшин', 'АЛЁШИН', 'Алешин', 'Але\u0308шин', 'АЛЕ\u0308ШИН'])
    expect(nameKey(name)).toBe('алешин');
  expect(nameKey('Пё\u0301тр')).toBe(nameKey('Пе\u0301тр'));
  expect(nameKey('Zoë')).toBe('zoë');
  expect(nameKey('ӧ')).not.toBe(nameKey('о'));
});

/** Signs that are one in names, by class. The last class counts for nothing. */
const LOOK_ALIKES = ["'\u2019\u02bc\u2018`", '-\u2010\u2011'].map((signs) => [...signs]);
const INVISIBLE = [...'\u00ad\u200e\u200f\u061c\u202a\u202e\u2066\u2069\u200b\u200c\u200d\u2060\ufeff'];

proves(['D39-look-alike-signs'], 'each sign of a class, stored and typed, is the same in a name', () => {
  for (const signs of LOOK_ALIKES)
    for (const stored of signs)
      for (const typed of signs) {
        const name = (sign: string) => nameKey(`O${sign}Keefe`);
        expect([stored, typed, name(typed)]).toEqual([stored, typed, name(stored)]);
      }
  const keys = ["O'Keefe", 'O-Keefe', 'O Keefe', 'OKeefe', 'O.Keefe', 'O"Keefe', 'O\u2013Keefe'].map(nameKey);
  expect(new Set(keys).size).toBe(keys.length);
});

proves(['D39-look-alike-signs'], 'invisible marks count for nothing, wherever they stand in a name', () => {
  for (const mark of INVISIBLE)
    for (const typed of [`${mark}Алёшин`, `Але${mark}\u0308шин`, `Алёшин ${mark} `, `Алё${mark}${mark}шин`])
      expect([mark, nameKey(typed)]).toEqual([mark, 'алешин']);
  expect(nameKey(INVISIBLE.join(''))).toBe('');
});

proves(['D26-unicode', 'D26-case'], 'the key of a key is the key, for every Unicode letter and mark', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const letter = String.fromCodePoint(code);
    if (!/[\p{L}\p{M}\p{N}]/u.test(letter)) continue;
    const key = nameKey(letter);
    const forms = new Set([key, letter.normalize('NFD'), letter.toLowerCase(), letter.toUpperCase()]);
    // Most letters have one form.
    forms.delete(letter);
    if ([...forms].some((form) => nameKey(form) !== key)) wrong.push(`U+${code.toString(16)} ${letter}`);
  }
  expect(wrong).toEqual([]);
});

proves(['D26-unicode', 'D26-case', 'D26-spaces'], 'the key of a key is the key, for any text', () => {
  const cyrillic = fc.constantFrom(...'еёЕЁийИЙ\u0308\u0301\u0300\u0323 ßẞIıİΣσς');
  const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: cyrillic }));
  const forms = (name: string, key: string) => [
    ...[key, name.normalize('NFC'), name.normalize('NFD'), `  ${name}\t `, `\u200f${name}\u00ad`],
    name.replaceAll(' ', '\u00a0  '),
  ];
  fc.assert(
    fc.property(text, (name) => {
      const key = nameKey(name);
      for (const form of forms(name, key)) expect(nameKey(form)).toBe(key);
      expect(key).toBe(key.normalize('NFC'));
    }),
    { numRuns: 1_000 },
  );
});

proves(['D27-phone-punctuation'], 'separators make no difference to a phone number', () => {
  for (const phone of [
    '79990000001',
    '+7 999 000-00-01',
    '7 (999) 000.00.01',
    ' +7\u00a0999 0000001 ',
    '(7)99900000-01',
  ])
    expect(phoneKey(phone)).toBe('79990000001');
});

proves(['D27-phone-punctuation', 'D39-look-alike-signs'], 'a phone is read as it is seen', () => {
  for (const mark of INVISIBLE)
    for (const phone of [`${mark}+7 999 000-00-01`, `+7 999 000-00-01${mark}`, `+7 999${mark} 000-00-01`])
      expect([mark, phoneKey(phone)]).toEqual([mark, '79990000001']);
  for (const dash of '-\u2010\u2011\u2012\u2013\u2014\u2212\uff0d')
    expect([dash, phoneKey(`+7 999 000${dash}00${dash}01`)]).toEqual([dash, '79990000001']);
  expect(phoneKey('＋７（９９９）０００．００－０１')).toBe('79990000001');
  expect(phoneKey('\u202a８０６５９３１４５８ ext\u00a07\u202c')).toBe('8065931458');
});

proves(['D27-leading-eight'], 'a leading 8 is a 7 in 11 digits alone', () => {
  expect(phoneKey('8 (999) 000-00-01')).toBe('79990000001');
  expect(phoneKey('89990000001')).toBe(phoneKey('+79990000001'));
  expect(phoneKey('8065931458')).toBe('8065931458');
  expect(phoneKey('+861069445464')).toBe('861069445464');
  expect(phoneKey('98990000001')).toBe('98990000001');
});

proves(['D31-phone-extension'], 'an extension is cut from a phone number, and from nothing else', () => {
  for (const phone of [
    '806.593.1458 x29688',
    '8065931458X1',
    '(806) 593-1458 ext. 7',
    '8065931458 Extension 7, desk',
  ])
    expect(phoneKey(phone)).toBe('8065931458');
  for (const text of [
    ...['x12345', 'ext 12345', '12345x@example.org', '12345ext.1@example.org', '12345 Felix', '1234567x'],
    // No beginning of an extension is read to its end: that would take minutes.
    ...['1234 x5', `${'x1'.repeat(400_000)}@`],
  ])
    expect([text, phoneKey(text)]).toEqual([text, undefined]);
});

test('what is no phone number of 5 to 15 digits has no key', () => {
  expect([phoneKey('12345'), phoneKey('123456789012345')]).toEqual(['12345', '123456789012345']);
  for (const phone of [
    ...['', '1234', '1234567890123456', '7999000000a', 'phone', '+', '7999/0000001'],
    ...['7999000000١', '79990000001#2'],
  ])
    expect([phone, phoneKey(phone)]).toEqual([phone, undefined]);
});

proves(
  ['D25-date-forms', 'D25-date-short'],
  'a date is taken in full, shortened, as ISO, and as a day',
  () => {
    for (const date of [
      ...['1985-04-12 00:00:00.000', '1985-04-12 23:59:59.999', '1985-04-12 00:00:00'],
      ...['1985-04-12T00:00:00.000Z', '1985-04-12T23:59:59Z', '1985-04-12T00:00:00.0', '1985-04-12'],
    ])
      expect([date, dayKey(date)]).toEqual([date, '1985-04-12']);
  },
);

proves(['D25-day-only'], 'the day counts as written, whatever the time or zone', () => {
  expect(dayKey('2000-12-31T23:59:59.999Z')).toBe('2000-12-31');
  expect(dayKey('2001-01-01 00:00:00.000')).toBe('2001-01-01');
  for (const zone of ['Pacific/Kiritimati', 'America/Los_Angeles', 'Asia/Kathmandu']) {
    vi.stubEnv('TZ', zone);
    for (const day of ['1985-04-12', '2000-01-01', '2000-12-31', '2000-02-29'])
      expect([zone, dayKey(day)]).toEqual([zone, day]);
    expect([zone, dayKey('1900-02-29')]).toEqual([zone, undefined]);
  }
});

proves(['D25-date-forms'], 'every day of the calendar has a key, and no other day has', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      (date) => {
        expect(dayKey(date.toISOString())).toBe(date.toISOString().slice(0, 10));
      },
    ),
  );
  for (const date of ['2000-02-29', '2024-02-29', '1900-02-28', '1999-12-31'])
    expect(dayKey(date)).toBe(date);
  for (const date of [
    ...['1900-02-29', '2023-02-29', '2000-02-30', '1985-04-31', '1985-13-01', '1985-00-10', '1985-01-00'],
    '1985-01-32',
  ])
    expect([date, dayKey(date)]).toEqual([date, undefined]);
});

test('a date in any other form has no key', () => {
  for (const date of [
    ...[
      '',
      '12.04.1985',
      '1985/04/12',
      '85-04-12',
      '1985-4-12',
      '1985-04-12 ',
      ' 1985-04-12',
      '1985-04-12\n',
    ],
    ...['1985-04-12T24:00:00Z', '1985-04-12 12:60:00', '1985-04-12 12:00:60', '1985-04-12 12:00'],
    ...['1985-04-12 12:00:00.', '1985-04-12 12:00:00.0000', '1985-04-12T12:00:00+03:00'],
    ...['1985-04-12t12:00:00z', '1985-04-12  12:00:00', '+001985-04-12', '１９８５-04-12'],
  ])
    expect([date, dayKey(date)]).toEqual([date, undefined]);
});

test('a card number is compared without case and outer space', () => {
  for (const card of [' a-1001 ', 'A-1001', cardKey('A-1001')]) expect(cardKey(card)).toBe('a-1001');
  expect(cardKey('A1001')).not.toBe(cardKey('A-1001'));
});

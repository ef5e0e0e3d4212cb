import { expect, test } from 'vitest';
import { capitalised, initials, showAttribute, showDay, showPhone, showTtl } from './format.ts';

test('a day is written long, whatever the time zone', () => {
  expect(showDay('1985-04-12', 'en')).toBe('12 April 1985');
  expect(showDay('1985-04-12T00:00:00.000Z', 'en')).toBe('12 April 1985');
  expect(showDay('1985-04-12T23:59:59.999Z', 'en')).toBe('12 April 1985');
  expect(showDay('2000-02-29', 'en')).toBe('29 February 2000');
  expect(showDay('0099-01-01', 'en')).toBe('1 January 99');
  expect(showDay('unknown', 'en')).toBe('unknown');
  expect(showDay('1985-04-12', 'ru')).toBe('12 апреля 1985 г.');
});

test('a phone is written in groups where its grouping is known', () => {
  expect(showPhone('79990000001')).toBe('+7 999 000-00-01');
  expect(showPhone('34600000006')).toBe('+34600000006');
  expect(showPhone('8065931458')).toBe('8065931458');
  expect(showAttribute({ kind: 'email', value: 'a@example.org' })).toBe('a@example.org');
});

test('a lifetime is written in the largest unit that fits', () => {
  expect(showTtl(1440, 'minutes', 'en')).toBe('1 day');
  expect(showTtl(90, 'minutes', 'en')).toBe('90 minutes');
  expect(showTtl(7200, 'seconds', 'en')).toBe('2 hours');
  expect(showTtl(61, 'seconds', 'en')).toBe('61 seconds');
  expect([1, 2, 5].map((days) => showTtl(days * 1440, 'minutes', 'ru'))).toEqual([
    '1 день',
    '2 дня',
    '5 дней',
  ]);
});

test('initials and headings begin with a whole letter', () => {
  expect(initials('Anna', 'Petrova')).toBe('AP');
  expect(initials('', '𝒜da')).toBe('𝒜');
  expect(capitalised('married')).toBe('Married');
});

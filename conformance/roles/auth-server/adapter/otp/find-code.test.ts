import { expect, test } from 'vitest';
import { findCode } from './find-code.ts';

/** In each message the code is 481920, in whatever form. */
const CODE = '481920';

test.each([
  'Your code is 481920.',
  'Code:481920',
  '481920 is your Clinic login code',
  'G-481920 is your code',
  '[#] Your code: 481920',
  'Your code: 481 920',
  'Your code: 481-920. Valid for 10 minutes.',
  'Your code: 481\u00a0920',
  'Clinic 2026: your code is 481920',
  'Code for 7999555-0123: 481920',
  'Code for +7 (999) 555-01-23: 481920. Tell nobody.',
  'Code for 8 800 555 35 35: 481920',
  'The phone ***0123 gets the code 481920',
  'Pay 1500 ₽ with 481920',
  'Pay 1 500 руб. Код 481920',
  'Pay $1,500.00 with 481920',
  'EUR 1500: TAN 481920',
  '15.01.2026 10:30 481920',
  'Valid on 2026-01-15: 481920',
  'Open 0900-1800. Your code is 481920',
  'Open 09-18. Your code is 481920',
  'Ваш код 481920. Никому его не сообщайте.',
  'код481920',
  '您的验证码为481920请勿泄露',
  'رمزك هو ٤٨١٩٢٠',
  'आपका कोड ४८१९२० है',
  'コード：４８１９２０',
  '<#> Your code is 481920\nFA+9qCX9VSu',
  '<#> Your code is 481920\nAB+12345+xy',
  'Your login.\n\n@clinic.example #481920',
  'Order 12345.\n\n@clinic.example #481920 %other.example',
  'Your code is 481920\n\n@clinic2026.example #481920',
  'Your code is 481920. It is valid for 5 minutes. Never tell it to anyone.\n@127.0.0.1 #481920',
  '@127.0.0.1:4300 #481920',
  '@10.2026.1234.5678 #481920',
  'Your code is 481920. https://clinic.example/s/123456',
  '10 minutes: 481920',
])('the code is found: %j', (text) => {
  expect(findCode(text, undefined).code).toBe(CODE);
});

test('a code is looked for in the first ten thousand characters', () => {
  const codeAfter = (chars: number) => findCode(`${'*'.repeat(chars)} 481920`, '\\d{6}').code;
  expect([codeAfter(9_900), codeAfter(10_000)]).toEqual([CODE, undefined]);
});

test.each([
  ['Order 12345: enter 481920', ['#####', '######']],
  ['Your order 12345, your code 481920', ['#####', '######']],
  ['Promo code 12345 is no sign-in, 481920 is', ['#####', '######']],
  ['In 2026 enter 481920', ['####', '######']],
  ['Clinic 2026: your code is 2019', ['####', '####']],
  ['555-0123 481920', undefined],
  ['Call 555-0123. Enter 481920', ['###-####', '######']],
  ['Enter 48-19-20, not 7777', ['##-##-##', '####']],
  ['Enter 48 19 20 in 2026', ['## ## ##', '####']],
  ['Enter 4819 20', ['#### ##']],
  ['Open https://clinic.example/s/123456', ['######']],
  ['Clinic 2026 welcomes you', ['####']],
  ['Room 1204. Ваш код: 481920, талон 7788', ['####', '######', '####']],
  ['Fifteen 15 01 2026: 481920', ['## ## ####', '######']],
  ['Welcome!', []],
  ['Call +7 999 555 01 23', []],
])('no code is guessed, and the numbers are told: %j', (text, others) => {
  const found = findCode(text, undefined);
  expect(found.code).toBeUndefined();
  if (others) expect(found.others).toEqual(others);
});

test('a pattern finds the code, and the other numbers of the message are told', () => {
  expect(findCode('Order 12345: code 481920', 'code (\\d{6})')).toEqual({ code: CODE, others: ['#####'] });
  expect(findCode('Code AB12', 'Code (\\S+)')).toEqual({ code: 'AB12', others: [] });
  expect(findCode('481920', '\\d+').others).toEqual([]);
  expect(findCode('Order 12345', 'code (\\d{6})')).toEqual({ code: undefined, others: ['#####'] });
});

test('a code that looks like a year is found by name, or alone', () => {
  expect(findCode('Your code is 2019', undefined).code).toBe('2019');
  expect(findCode('2019 is your code', undefined).code).toBe('2019');
});

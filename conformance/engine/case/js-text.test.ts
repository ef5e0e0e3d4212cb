import { expect, test } from 'vitest';
import { folded, quoted } from './js-text.ts';

test('a text is quoted so that it stays itself', () => {
  expect([quoted('plain'), quoted(`it's`), quoted('a\nb')]).toEqual([`'plain'`, `"it's"`, `"a\\nb"`]);
});

test('a long line is broken at its largest braces, and a short one stays', () => {
  const long = `const a1 = await ask('x', { json: { method: 'auth.confirm_otp', params: { phone, code: '${'1'.repeat(60)}' } } });`;
  expect(folded(long, '  ').split('\n')).toEqual([
    `  const a1 = await ask('x', {`,
    `    json: {`,
    `      method: 'auth.confirm_otp',`,
    `      params: { phone, code: '${'1'.repeat(60)}' },`,
    '    },',
    '  });',
  ]);
  expect(folded('const a = { b: 1 };', '  ')).toBe('  const a = { b: 1 };');
});

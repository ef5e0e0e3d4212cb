import { expect, test } from 'vitest';
import { attributeOf, readAttribute } from './attribute.ts';

test('an attribute is read in the one form in which it is stored', () => {
  expect(readAttribute('8 (999) 000-00-01')).toEqual({ kind: 'phone', value: '79990000001' });
  expect(readAttribute('Anna@Example.org')).toEqual({ kind: 'email', value: 'anna@example.org' });
  for (const neither of ['', 'anna', `${'a'.repeat(250)}@example.org`])
    expect(readAttribute(neither)).toBeUndefined();
});

test('the attribute of a call is its phone or address, and never missing', () => {
  expect(attributeOf({ phone: '79990000001' })).toEqual({ kind: 'phone', value: '79990000001' });
  expect(attributeOf({ email: 'anna@example.org' })).toEqual({ kind: 'email', value: 'anna@example.org' });
  expect(() => attributeOf({})).toThrow('The parameters carry neither a phone nor an e-mail address.');
});

import { expect, test } from 'vitest';
import { spoil } from './spoil.ts';

const draw = () => 0;

test('one character is changed, not at the end of the value', () => {
  expect(spoil('abcdefghij-KLMNOP', 'changed', draw)).toBe('abcdefghij-LLMNOP');
});

test('an invented value has the shape of the right one', () => {
  expect(spoil('3f2a-9e', 'invented', draw)).toBe('4a3b-0f');
});

test('the last character is changed to one with other bits that count', () => {
  const changed = Buffer.from('any 32 bytes, which are 43 signs').toString('base64url');
  expect(spoil(changed, 'last changed', draw).slice(0, -1)).toBe(changed.slice(0, -1));
  expect(Buffer.from(spoil(changed, 'last changed', draw), 'base64url')).not.toEqual(
    Buffer.from(changed, 'base64url'),
  );
  expect(spoil('00ff00ff', 'last changed', draw)).toBe('00ff00fa');
  expect(spoil('abcf', 'last changed', draw)).toBe('abca');
  expect(spoil('xyzf=', 'last changed', draw)).toBe('xyzv=');
});

test('half of the value is left', () => {
  expect(spoil('abcdef', 'cut', draw)).toBe('abc');
});

test('the name of a cookie stays', () => {
  expect(spoil('sid=aBcDeFgHiJkL', 'changed', draw)).toBe('sid=aBcDeFhHiJkL');
});

test('the padding of base64 is no name', () => {
  expect(spoil('aBc==', 'cut', draw)).toBe('aB');
});

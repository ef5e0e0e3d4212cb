import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { example } from '../../../../testing/cli.ts';
import { screenIn } from './screen.ts';
import { browserSchema } from './settings.ts';

test('a screen is told by a pattern, by absent texts or by an order', () => {
  const { browser } = parse(readFileSync(example('web-client.yaml'), 'utf8'));
  const texts = { code: 'A code was sent', form: 'Pressed', patient: 'Your record' };
  const others = { signedOut: 'Please sign in', error: 'Something is wrong' };
  const screenBy = (screens: object, order: readonly string[] = []) => {
    const file = { ...browser, screens: { ...texts, ...others, ...screens }, order };
    const look = { told: '', main: 'Your record. Pressed 2', all: '', beside: '', shown: '' };
    return screenIn(look, browserSchema(() => undefined).parse(file));
  };
  expect(() => screenBy({})).toThrow('of the screen form and of the screen patient');
  expect(screenBy({ form: { matches: '^Pressed' } })).toBe('patient');
  expect(screenBy({ patient: { anyOf: 'Your record', not: 'Pressed' } })).toBe('form');
  expect(screenBy({}, ['error', 'form'])).toBe('form');
  expect(() => screenBy({ form: { matches: '(' } })).toThrow('must be a regular expression');
});

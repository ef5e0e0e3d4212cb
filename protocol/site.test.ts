import { expect, test } from 'vitest';
import { addressOf, pathOf, placesOf } from './site.ts';

test('sections and decisions have paths, and other places have none', () => {
  expect(['§4.1', '§4', '§1 rule 3', 'decision 9', 'decision E', 'design'].map(pathOf.place)).toEqual([
    '/interface#4-1',
    '/interface#4',
    '/interface#1-rule-3',
    '/decisions/#decision-9',
    '/decisions/#decision-e',
    undefined,
  ]);
  expect(pathOf.requirement('a/b"\ud800')).toBe('/requirements/#a%2Fb%22%EF%BF%BD');
});

test('nothing has an address until the site is published', () => {
  expect(addressOf(pathOf.check('a'))).toBeUndefined();
  expect(addressOf(pathOf.check('a'), 'https://site.invalid/')).toBe('https://site.invalid/checks/#a');
  expect(placesOf('good practice, §2.3')).toEqual([{ text: 'good practice' }, { text: '§2.3' }]);
});

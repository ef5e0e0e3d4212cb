import { expect, test } from 'vitest';
import { languageFor, languages, table } from './texts.js';

test('each text stands in every language, with the same places', () => {
  const placesOf = (text = '') => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place);
  for (const [key, row] of Object.entries(table)) {
    expect(
      row.filter((text) => text !== ''),
      key,
    ).toHaveLength(languages.length);
    for (const text of row) expect(placesOf(text), key).toEqual(placesOf(row[0]));
  }
});

test('the chosen language comes first, then those of the browser, then English', () => {
  expect(languageFor('en', ['ru-RU'])).toBe('en');
  expect(languageFor(null, ['fr-FR', 'ru-RU'])).toBe('ru');
  expect(languageFor(null, ['fr-FR'])).toBe('en');
});

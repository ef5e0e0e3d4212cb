import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressOf, placesOf, SITE } from './site.ts';

test('the site is the homepage of the package', () => {
  const text = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8');
  expect((JSON.parse(text) as { homepage: string }).homepage).toBe(SITE);
});

test('sections and decisions have addresses, and other places have none', () => {
  expect(['§4.1', '§4', '§1 rule 3', 'decision 9', 'decision E', 'design'].map(addressOf.place)).toEqual([
    `${SITE}interface#4-1`,
    `${SITE}interface#4`,
    `${SITE}interface#1-rule-3`,
    `${SITE}decisions/#decision-9`,
    `${SITE}decisions/#decision-e`,
    undefined,
  ]);
});

test('a clause is split into its places, and an id may be any text', () => {
  expect(placesOf('good practice, §2.3')).toEqual([
    { text: 'good practice', address: undefined },
    { text: '§2.3', address: `${SITE}interface#2-3` },
  ]);
  expect(addressOf.requirement('a/b"\ud800')).toBe(`${SITE}requirements/a%2Fb%22%EF%BF%BD`);
});

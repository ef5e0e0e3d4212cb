import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../set-up/set-up.mjs';
import { slug } from './markdown.ts';

type Question = { ask: string; search: string; found: string; says: string };
const questions = parse(readFileSync(join(root, 'site/questions.yaml'), 'utf8')) as Question[];

/** Returns the text of a page below the heading with this anchor, up to the next heading. */
function below(page: string, anchor: string): string {
  const text = readFileSync(join(root, `docs${page}.md`), 'utf8');
  const sections = text.split(/^#+ /m);
  return sections.find((section) => slug(section.split('\n')[0] ?? '') === anchor) ?? '';
}

test('there are twenty questions, each asked once', () => {
  expect(new Set(questions.map(({ ask }) => ask)).size).toBe(20);
});

test.each(questions)('the answer stands where it is looked for: $ask', ({ search, found, says }) => {
  const words = search.split(' ').length;
  expect(words >= 2 && words <= 4, search).toBe(true);
  const [page = '', anchor = ''] = found.split('#');
  expect(below(page, anchor)).toContain(says);
});

import { expect, test } from 'vitest';
import { languages, scenarioIn } from '../../page/texts/texts.ts';
import { scenarios } from './list.ts';

test('each scenario has words in every language of the page', () => {
  for (const { id, title, sentence } of scenarios) {
    const scenario = { id, title, sentence, steps: [] };
    expect(
      languages.map((language) => scenarioIn(language, scenario).lang),
      id,
    ).toEqual([...languages]);
  }
});

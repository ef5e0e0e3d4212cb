import { expect, test } from 'vitest';
import { faultKindIn, languages, remarkIn, scenarioIn, stepIn } from '../../page/texts/texts.ts';
import { faultKinds } from '../wires/fault-kinds.ts';
import { actorName, scenarios } from './list.ts';

const inEach = (wordsIn: (language: (typeof languages)[number]) => { lang: string }) =>
  languages.map((language) => wordsIn(language).lang);

test('each step and each kind of trouble have words in every language', () => {
  for (const scenario of scenarios)
    for (const { text } of scenario.steps) {
      expect(
        inEach((language) => stepIn(language, text)),
        text,
      ).toEqual([...languages]);
      expect(remarkIn('de', `${actorName(scenario)} ${text}`).text).toBe(
        `${actorName(scenario)} ${stepIn('de', text).text}`,
      );
    }
  for (const kind of faultKinds)
    expect(
      inEach((language) => faultKindIn(language, kind)),
      kind.name,
    ).toEqual([...languages]);
  expect(remarkIn('ru', 'auth clock set apart: it is 2026-01-15 09:00:00 UTC').text).toMatch(
    /^Сервер авторизации: .* 09:00:00 UTC$/,
  );
  expect(remarkIn('de', 'What a saved run says')).toEqual({ text: 'What a saved run says', lang: 'en' });
});

test('each scenario has words in every language of the page', () => {
  for (const { id, title, sentence } of scenarios) {
    const scenario = { id, title, sentence, steps: [] };
    expect(
      languages.map((language) => scenarioIn(language, scenario).lang),
      id,
    ).toEqual([...languages]);
  }
});

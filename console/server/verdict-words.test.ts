import { expect, test } from 'vitest';
import { checks } from '#conformance/roles/auth-server/checks.ts';
import { judgedRoles } from '#conformance/roles/judge.ts';
import { authMethods } from '#protocol/methods/auth-methods.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { requirement } from '#protocol/requirements.ts';
import { clauseTexts } from '../page/texts/clauses.ts';
import { clauseIn, clauseTextIn, languages, partyIn, requiredIn } from '../page/texts/texts.ts';
import { verdictTexts } from '../page/texts/verdicts.ts';

const watching = Object.values(judgedRoles).flatMap((role) =>
  role.checks.filter(({ watchable }) => watchable),
);
const methods = Object.entries({ ...ehrMethods, ...authMethods });

test('each check that can watch says in every language what it requires', () => {
  expect(watching.length).toBeGreaterThan(0);
  for (const { id: check, title } of watching)
    expect(
      languages.map((language) => requiredIn(language, { check, title }).lang),
      check,
    ).toEqual([...languages]);
});

test('each method says in every language what is required of it', () => {
  for (const [method, { summary }] of methods)
    expect(
      languages.map((language) => clauseTextIn(language, method, summary).lang),
      method,
    ).toEqual([...languages]);
});

test('no words are of a check or a method that is not there', () => {
  expect(Object.keys(verdictTexts).filter((id) => !watching.some((check) => check.id === id))).toEqual([]);
  expect(Object.keys(clauseTexts).filter((name) => !methods.some(([method]) => method === name))).toEqual([]);
});

test('Russian words are Russian, and no words are those of another language', () => {
  for (const [key, [russian, german]] of Object.entries({ ...verdictTexts, ...clauseTexts })) {
    expect(russian, key).toMatch(/[а-я]/);
    expect(german, key).not.toMatch(/[а-я]/);
    const english =
      watching.find(({ id }) => id === key)?.title ?? methods.find(([name]) => name === key)?.[1].summary;
    expect(german).not.toBe(english);
  }
});

test('each name in a sentence of a check stands in its translations as well', () => {
  for (const { id, title } of watching)
    for (const name of title.match(/\b[a-z]+_[a-z_]+|\b[a-z]+[A-Z]\w+|\b[a-z]+\.[a-z]+\b/g) ?? [])
      for (const translated of verdictTexts[id] ?? []) expect(translated, `${id}: ${name}`).toContain(name);
});

test('clauses and parties have no English word in another language', () => {
  const clauses = checks.flatMap(({ requirements }) => requirements.map((id) => requirement(id).clause));
  for (const clause of [...clauses, ...methods.map(([, method]) => method.clause)])
    expect(clauseIn('ru', clause).replace('OpenRPC', '')).not.toMatch(/[a-z]{2}/);
  expect(clauseIn('de', 'good practice, §1 rule 8, decision 9')).toBe(
    'gute Praxis, §1 Regel 8, Entscheidung 9',
  );
  const parties = ['auth server', 'EHR server', 'client', 'harness', 'environment'];
  for (const party of parties) expect(partyIn('ru', party)).toMatch(/^[А-Яа-я ]+$/);
});

import { expect, test } from 'vitest';
import { ehrMethods } from './methods/ehr-methods.ts';
import { type MethodSpec, reasonsOf } from './methods/method-spec.ts';
import type { Requirement } from './requirements/requirement.ts';
import { type RequirementId, requirement, requirements } from './requirements.ts';

const rows: readonly Requirement[] = requirements;

test('no two requirements have the same id or the same text', () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  expect(new Set(rows.map(({ text }) => text)).size).toBe(rows.length);
});

test('an id is a section or decision, and a short name', () => {
  for (const { id } of rows) expect(id).toMatch(/^(\d(\.\d)?|D\d{1,2}a?|DE|DA|X|K)-[a-z0-9]+(-[a-z0-9]+)*$/);
});

test('a clause names sections, rules and decisions that the interface has', () => {
  const clause =
    /^(§[1-9](\.[1-9])?( rule [1-9])?|decision ([0-9]|[12][0-9]|3[0-9]|4[01]|21a|E|A)|design|good practice)$/;
  for (const { id, clause: clauses } of rows)
    for (const part of clauses.split(', ')) expect([id, part]).toEqual([id, expect.stringMatching(clause)]);
});

// A row keeps its id when its source changes: reports cite it.
test('an id begins with the section or decision of one of its clauses', () => {
  for (const { id, clause } of rows) {
    const [prefix = ''] = id.split('-');
    if (prefix === 'X') continue;
    expect([id, clause.split(', ').map(prefixOf)]).toEqual([id, expect.arrayContaining([prefix])]);
  }
});

test('the first clause of a row is of its source', () => {
  const firsts = {
    interface: /^§/,
    field: /^decision/,
    decision: /^(decision|design)/,
    practice: /^good practice/,
  };
  for (const { id, source, clause } of rows)
    expect([id, clause]).toEqual([id, expect.stringMatching(firsts[source])]);
});

test('a row of the interface names sections alone, and says what their sentence says', () => {
  for (const { id, clause, basis } of rows.filter(({ source }) => source === 'interface')) {
    expect([id, clause]).toEqual([id, expect.not.stringMatching(/decision|design|good practice/)]);
    expect([id, basis]).toEqual([id, expect.stringMatching(/^\S.{10,}[^.]\.$/)]);
  }
});

test('a risk of practice is one clause that begins with who can do what', () => {
  for (const { id, risk } of rows.filter(({ source }) => source === 'practice'))
    expect([id, risk]).toEqual([id, expect.stringMatching(/^[a-z][^.;]{20,}[^.;]$/)]);
});

test('every section that demands something and every decision has a row', () => {
  const places = new Set(rows.map(({ id }) => id.split('-')[0]));
  const sections = '1 2.1 2.2 2.3 2.4 2.5 2.6 3 4 4.1 4.2 4.3 4.4 4.5 4.6 5.1 5.2 5.3 5.4 7 8 9'.split(' ');
  // Rows of §1 and of the errors say what decision 18 does.
  const decisions = Array.from({ length: 30 }, (_, number) => `D${number}`).filter((id) => id !== 'D18');
  const expected = [...sections, ...decisions, 'D21a', 'DE', 'DA'];
  expect(expected.filter((place) => !places.has(place))).toEqual([]);
});

test('a requirement is one sentence with a party', () => {
  for (const { id, text, party } of rows) {
    expect([id, text]).toEqual([id, expect.stringMatching(/^\S.*[^.]\.$/)]);
    expect([id, [party].flat().length > 0]).toEqual([id, true]);
  }
});

test('each reason of the EHR server has its row among the decided errors', () => {
  const named = rows.flatMap(({ id, text }) => (id.startsWith('DE-') ? [text] : [])).join(' ');
  for (const reason of Object.values<MethodSpec>(ehrMethods).flatMap(reasonsOf))
    expect(named).toContain(reason);
});

test('a requirement is found by its id, an unknown id is an error', () => {
  for (const row of requirements) expect(requirement(row.id)).toBe(row);
  expect(() => requirement('4.1-nothing' as RequirementId)).toThrow(
    'there is none with the id "4.1-nothing"',
  );
});

function prefixOf(clause: string): string {
  if (clause === 'good practice') return 'K';
  return clause.startsWith('§') ? clause.slice(1).replace(/ rule .*/, '') : clause.replace('decision ', 'D');
}

import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from '#service/sqlite.ts';
import type { MatchQuery } from './mis.ts';
import { prepareMisSchema } from './schema.ts';
import { sqliteMatchSql } from './sqlite.ts';

test('no query with a phone or a day reads a whole table', () => {
  const database = openSqlite(':memory:');
  onTestFinished(() => void database.close());
  prepareMisSchema(database);
  const full = { surname: 'a', name: 'b', day: '2000-01-01', phone: '79990000001', gender: 0 };
  const members = Object.keys(full) as (keyof typeof full)[];
  // Every choice of members, as the bits of a number.
  for (let bits = 0; bits < 1 << members.length; bits++) {
    const chosen = members.filter((_, index) => bits & (1 << index));
    const query = {
      // The strategy of every search without a medical card.
      strategy: 'PHONE',
      ...Object.fromEntries(chosen.map((member) => [member, full[member]])),
    } as MatchQuery;
    const sql = sqliteMatchSql(query);
    expect(sql !== undefined).toBe(chosen.includes('day') || chosen.includes('phone'));
    if (sql !== undefined) expectSearch(planOf(sql, query), chosen);
  }
  const card: MatchQuery = { strategy: 'MEDCARD', card: 'a', phone: '79990000001' };
  expectSearch(planOf(sqliteMatchSql(card) as string, card), ['card', 'phone']);

  function planOf(sql: string, query: MatchQuery): string[] {
    const rows = database.prepare<[MatchQuery], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(query);
    return rows
      .map((row) => row.detail)
      .filter((detail) => !detail.startsWith('USE TEMP B-TREE FOR DISTINCT'));
  }
});

function expectSearch(plan: string[], chosen: string[]): void {
  expect(plan).toHaveLength(1);
  expect(plan[0]).toMatch(
    /^SEARCH patient_(match|card) USING (PRIMARY KEY|COVERING INDEX patient_match_phone) /,
  );
  // The columns that the index leads to, rather than compares row by row.
  const boundColumns = (plan[0]?.match(/=\?/g) ?? []).length;
  const leading = ['phone', 'day'].filter((member) => chosen.includes(member));
  expect(boundColumns).toBeGreaterThanOrEqual(leading.length);
  // Both indexes of patient_match begin with these four, each in its own order.
  if (['surname', 'name', 'day', 'phone'].every((member) => chosen.includes(member)))
    expect(boundColumns).toBeGreaterThanOrEqual(4);
}

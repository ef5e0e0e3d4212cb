/** Writes a search of the population as SQL, with its columns in the order of the indexes. */
import { MAX_MATCHES, type MatchQuery } from './mis.ts';

type PhoneQuery = Extract<MatchQuery, { strategy: 'PHONE' }>;

const COLUMNS = [
  ['day', 'birthdate'],
  ['surname', 'surname_key'],
  ['name', 'name_key'],
  ['phone', 'phone_key'],
  ['gender', 'gender'],
] as const satisfies readonly (readonly [keyof PhoneQuery, string])[];

type Member = (typeof COLUMNS)[number][0] | 'card';

/**
 * Write the statement for one combination of members.
 * @param parameter returns the engine's notation for a member, such as `@day`; called for each member in
 *   order
 * @returns undefined for a combination that matches nobody
 */
export function matchSql(query: MatchQuery, parameter: (member: Member) => string): string | undefined {
  if (query.strategy === 'MEDCARD') {
    return `SELECT DISTINCT patient_id FROM patient_card WHERE card_key = ${parameter('card')} AND phone_key = ${parameter('phone')} LIMIT ${MAX_MATCHES}`;
  }
  if (query.phone === undefined && query.day === undefined) return undefined;
  const conditions = COLUMNS.filter(([member]) => query[member] !== undefined).map(
    ([member, column]) => `${column} = ${parameter(member)}`,
  );
  return `SELECT DISTINCT patient_id FROM patient_match WHERE ${conditions.join(' AND ')} LIMIT ${MAX_MATCHES}`;
}

/** Prepare a statement once for each combination of members, and find it without building its text. */
export function onceForEach<Prepared>(
  prepare: (query: MatchQuery, combination: number) => Prepared,
): (query: MatchQuery) => Prepared {
  const prepared = new Map<number, Prepared>();
  return (query) => {
    const combination = combinationOf(query);
    if (!prepared.has(combination)) prepared.set(combination, prepare(query, combination));
    return prepared.get(combination) as Prepared;
  };
}

const MEDCARD_COMBINATION = -1;

/** Number the combination of members. */
function combinationOf(query: MatchQuery): number {
  if (query.strategy === 'MEDCARD') return MEDCARD_COMBINATION;
  return COLUMNS.reduce(
    (bits, [member], index) => (query[member] === undefined ? bits : bits | (1 << index)),
    0,
  );
}

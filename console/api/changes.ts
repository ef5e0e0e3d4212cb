/** What changed from one state of the servers to the next. */
import type { StateChange, StateRow, StateTable } from './state.ts';

export function changesBetween(before: readonly StateTable[], after: readonly StateTable[]): StateChange[] {
  return after.flatMap(({ party, table, rows }) => {
    const old = before.find((other) => other.party === party && other.table === table)?.rows ?? [];
    const oldById = new Map(old.map((row) => [row.id, row]));
    const ids = new Set(rows.map(({ id }) => id));
    const made = rows.flatMap((row): StateChange[] => {
      const earlier = oldById.get(row.id);
      if (earlier && isSame(earlier, row)) return [];
      return [{ party, table, how: earlier ? 'changed' : 'added', row }];
    });
    const gone = old.filter(({ id }) => !ids.has(id));
    return [...made, ...gone.map((row): StateChange => ({ party, table, how: 'removed', row }))];
  });
}

/** Whether the server's own data agree. A pseudonym, a person and a mark are the console's. */
function isSame(one: StateRow, other: StateRow): boolean {
  const own = ({ patient, internalId, signOnRecord, endsAt, failures }: StateRow) =>
    JSON.stringify([patient, internalId, signOnRecord, endsAt, failures]);
  return own(one) === own(other);
}

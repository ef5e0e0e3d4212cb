/** The state of both servers as the page shows it: tables with marks at what changed last. */
import type { MessageDetail, State, StateChange, StateRow, StateTable, Time } from '../../api.ts';

export type Mark = StateChange['how'];
export type MarkedRow = { readonly row: StateRow; readonly mark: Mark | undefined };
type TablePlace = Pick<StateTable, 'party' | 'table'>;
export type MarkedTable = Pick<StateTable, 'party' | 'table' | 'total'> & {
  readonly rows: readonly MarkedRow[];
};

/** The tables in their order on the page. */
const TABLES: readonly TablePlace[] = [
  { party: 'ehr', table: 'exchangeTokens' },
  { party: 'ehr', table: 'sessions' },
  { party: 'ehr', table: 'links' },
  { party: 'auth', table: 'sessions' },
  { party: 'auth', table: 'correspondence' },
];

const same = (a: TablePlace, b: TablePlace) => a.party === b.party && a.table === b.table;

/** Returns the tables of a state. What `changes` name is marked, and removed rows come first. */
export function markedTables(state: State | undefined, changes: readonly StateChange[]): MarkedTable[] {
  return TABLES.map((key) => {
    const found = state?.tables.find((table) => same(table, key));
    const own = changes.filter((change) => same(change, key));
    const marks = new Map(own.map(({ row, how }) => [row.id, how]));
    const here = (found?.rows ?? []).map((row) => ({ row, mark: marks.get(row.id) }));
    const ids = new Set(here.map(({ row }) => row.id));
    const gone = own.flatMap(({ how, row }) =>
      how === 'removed' && !ids.has(row.id) ? [{ row, mark: how }] : [],
    );
    return { ...key, rows: [...gone, ...here], total: found?.total ?? 0 };
  });
}

/**
 * Returns the state at one time of a saved run, from the changes of all messages that had ended by then.
 */
export function stateAt(details: readonly MessageDetail[], at: Time): State {
  const tables = TABLES.map((key) => ({ ...key, rows: new Map<string, StateRow>() }));
  const ended = details
    .filter(({ endedAt }) => endedAt <= at)
    .sort((a, b) => a.endedAt - b.endedAt || a.id - b.id);
  for (const { changes } of ended)
    for (const change of changes) {
      const rows = tables.find((table) => same(table, change))?.rows;
      if (change.how === 'removed') rows?.delete(change.row.id);
      else rows?.set(change.row.id, change.row);
    }
  return {
    at,
    tables: tables.map(({ rows, ...key }) => ({ ...key, rows: [...rows.values()], total: rows.size })),
  };
}

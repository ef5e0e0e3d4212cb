/** What a message changed at the two servers, one small table for each table that it touched. */
import type { StateChange, Time } from '../../../api.ts';
import { markedTables } from '../../model/tables.ts';
import { texts } from '../../texts.ts';
import { StateTables } from './state-table.tsx';

export function Changes({ changes, at }: { changes: readonly StateChange[]; at: Time }) {
  if (changes.length === 0) return <p className="hint">{texts.changedNothing}</p>;
  const kept = changes.filter(({ how }) => how !== 'removed');
  const tables = markedTables(undefined, changes).map((table) => {
    const own = kept.filter(({ party, table: name }) => party === table.party && name === table.table);
    return { ...table, rows: [...own.map(({ row, how }) => ({ row, mark: how })), ...table.rows] };
  });
  const touched = tables.filter(({ rows }) => rows.length > 0);
  return <StateTables tables={touched.map((table) => ({ ...table, total: table.rows.length }))} now={at} />;
}

/** The tables of both servers: their rows with what is left of their time, and marks at what changed. */
import type { StateRow, StateTable, Time } from '../../../api.ts';
import type { MarkedRow, MarkedTable } from '../../model/tables.ts';
import type { TextKey } from '../../texts/texts.ts';
import { useConsole } from '../context.ts';
import { countdown } from '../format.ts';
import { MessageLink } from '../parts/message-link.tsx';

type Column = 'endsIn' | Exclude<keyof StateRow, 'id' | 'endsAt' | 'changedBy'>;

const COLUMNS: Readonly<Record<StateTable['table'], readonly Column[]>> = {
  exchangeTokens: ['token', 'user', 'failures', 'endsIn'],
  sessions: ['token', 'user', 'attribute', 'endsIn'],
  links: ['user', 'person', 'patient'],
  correspondence: ['user', 'attribute', 'internalId', 'signOnRecord'],
};

/** A token that has less than this is about to end. */
const SOON_MS = 60_000;

export function StateTables({ tables, now }: { tables: readonly MarkedTable[]; now: Time }) {
  return tables.map((table) => <StateTableView key={table.party + table.table} table={table} now={now} />);
}

function StateTableView({ table, now }: { table: MarkedTable; now: Time }) {
  const { say } = useConsole();
  const { rows, total } = table;
  const told = rows.filter(({ mark }) => mark !== 'removed').length;
  const used = (column: Column) => column === 'endsIn' || rows.some(({ row }) => row[column] !== undefined);
  const columns = COLUMNS[table.table].filter((column) => rows.length === 0 || used(column));
  const title = `${say(table.party)} · ${say(`table_${table.table}`)}`;
  return (
    <table className={`state of-${table.party}`}>
      <caption>
        <span>{title}</span> <span className="state-total">{total}</span>
      </caption>
      {rows.length > 0 && (
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {say(`column_${column}` satisfies TextKey)}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map((marked) => (
          <Row key={`${marked.row.id} ${marked.mark}`} marked={marked} columns={columns} now={now} />
        ))}
        {total > told && (
          <tr>
            <td colSpan={columns.length}>{say('moreRows', { n: total - told })}</td>
          </tr>
        )}
        {rows.length === 0 && (
          <tr>
            <td className="state-none">{say('noneYet')}</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

type RowProps = { marked: MarkedRow; columns: readonly Column[]; now: Time };

function Row({ marked: { row, mark }, columns, now }: RowProps) {
  const { model, say } = useConsole();
  const { changedBy } = row;
  const byChosen = changedBy !== undefined && changedBy === model.chosen;
  return (
    <tr className={`${mark === undefined ? '' : `is-${mark}`} ${byChosen ? 'by-chosen' : ''}`}>
      {columns.map((column, index) => (
        <td
          key={column}
          className={`cell-${column}`}
          title={column === 'internalId' ? row.internalId : undefined}
        >
          <Cell row={row} column={column} now={now} />
          {index === 0 && mark !== undefined && <span className="state-how">{` ${say(`how_${mark}`)}`}</span>}
          {index === 0 && changedBy !== undefined && !byChosen && (
            <MessageLink className="state-by" id={changedBy} />
          )}
        </td>
      ))}
    </tr>
  );
}

function Cell({ row, column, now }: { row: StateRow; column: Column; now: Time }) {
  const { say } = useConsole();
  if (column === 'signOnRecord')
    return row.signOnRecord === undefined ? null : <span>{say(row.signOnRecord ? 'yes' : 'no')}</span>;
  if (column !== 'endsIn') return <span>{row[column]}</span>;
  if (row.endsAt === undefined) return null;
  const left = row.endsAt - now;
  if (left <= 0) return <span className="soon">{say('ended')}</span>;
  return <span className={left < SOON_MS ? 'soon' : ''}>{countdown(left)}</span>;
}

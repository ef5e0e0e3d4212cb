/** What both servers hold now, or held at the chosen message of a saved run. What changed last is marked. */
import { useMemo } from 'react';
import type { Replay, StateRow, StateTable, Time } from '../../../api.ts';
import { type MarkedRow, type MarkedTable, markedTables, stateAt } from '../../model/tables.ts';
import { useConsole, useDemoTime } from '../context.ts';
import { countdown, partyNames } from '../format.ts';
import { MessageLink } from '../parts.tsx';

/** Often enough for the tenths of a token's last minute. */
const COUNTDOWN_MS = 200;

export function StateTab() {
  const { model } = useConsole();
  return model.replay ? <StateOfReplay replay={model.replay} /> : <LiveState />;
}

function LiveState() {
  const { model } = useConsole();
  const now = useDemoTime(COUNTDOWN_MS);
  const tables = useMemo(() => markedTables(model.state, model.changes), [model.state, model.changes]);
  return <StateTables tables={tables} now={now} />;
}

function StateOfReplay({ replay }: { replay: Replay }) {
  const { model } = useConsole();
  const { detail } = model;
  const now = detail?.endedAt ?? 0;
  const tables = useMemo(
    () => markedTables(stateAt(Object.values(replay.details), now), detail?.changes ?? []),
    [replay, detail, now],
  );
  return (
    <>
      {detail && (
        <p className="hint">
          <span>At the end of message</span> <MessageLink id={detail.id} />
        </p>
      )}
      <StateTables tables={tables} now={now} />
    </>
  );
}

type Column = 'endsIn' | Exclude<keyof StateRow, 'id' | 'endsAt' | 'changedBy'>;

const COLUMNS: Readonly<Record<StateTable['table'], readonly Column[]>> = {
  exchangeTokens: ['token', 'user', 'failures', 'endsIn'],
  sessions: ['token', 'user', 'attribute', 'endsIn'],
  links: ['user', 'person', 'patient'],
  correspondence: ['user', 'attribute', 'internalId', 'signOnRecord'],
};

const TABLE_NAMES: Readonly<Record<StateTable['table'], string>> = {
  sessions: 'sessions',
  exchangeTokens: 'exchange tokens',
  links: 'links',
  correspondence: 'correspondence',
};

const COLUMN_NAMES: Readonly<Record<Column, string>> = {
  token: 'token',
  user: 'user',
  attribute: 'phone, e\u2011mail',
  person: 'person',
  patient: 'patient',
  internalId: 'internal id',
  signOnRecord: 'sign',
  endsIn: 'ends in',
  failures: 'failed',
};

/** A token that has less than this is about to end. */
const SOON_MS = 60_000;

export function StateTables({ tables, now }: { tables: readonly MarkedTable[]; now: Time }) {
  return tables.map((table) => <StateTableView key={table.party + table.table} table={table} now={now} />);
}

function StateTableView({ table, now }: { table: MarkedTable; now: Time }) {
  const { rows, total } = table;
  const told = rows.filter(({ mark }) => mark !== 'removed').length;
  const used = (column: Column) => column === 'endsIn' || rows.some(({ row }) => row[column] !== undefined);
  const columns = COLUMNS[table.table].filter((column) => rows.length === 0 || used(column));
  const title = `${partyNames[table.party]} · ${TABLE_NAMES[table.table]}`;
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
                {COLUMN_NAMES[column]}
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
            <td colSpan={columns.length}>{`and ${total - told} more`}</td>
          </tr>
        )}
        {rows.length === 0 && (
          <tr>
            <td className="soft">none</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

type RowProps = { marked: MarkedRow; columns: readonly Column[]; now: Time };

function Row({ marked: { row, mark }, columns, now }: RowProps) {
  const { model } = useConsole();
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
          {index === 0 && mark !== undefined && <span className="state-how">{` ${mark}`}</span>}
          {index === 0 && changedBy !== undefined && !byChosen && (
            <MessageLink className="state-by" id={changedBy} />
          )}
        </td>
      ))}
    </tr>
  );
}

function Cell({ row, column, now }: { row: StateRow; column: Column; now: Time }) {
  if (column === 'signOnRecord')
    return row.signOnRecord === undefined ? null : <span>{row.signOnRecord ? 'yes' : 'no'}</span>;
  if (column !== 'endsIn') return <span>{row[column]}</span>;
  if (row.endsAt === undefined) return null;
  const left = row.endsAt - now;
  if (left <= 0) return <span className="soon">ended</span>;
  return <span className={left < SOON_MS ? 'soon' : ''}>{countdown(left)}</span>;
}

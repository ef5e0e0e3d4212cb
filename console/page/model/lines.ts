/** The rows of the exchange as lines of the lanes, in the order in which they crossed, and their filter. */
import type { Message, Outcome, PartyName, Remark, Row } from '../../api.ts';

export type Line =
  | { readonly kind: 'call' | 'reply'; readonly message: Message }
  | { readonly kind: 'remark'; readonly remark: Remark };

/** The page keeps as many rows as the server, the newest ones. */
const MAX_ROWS = 10_000;

/** Adds rows by id. A row that is there already is replaced: a call that was under way has ended. */
export function addRows(rows: readonly Row[], more: readonly Row[]): readonly Row[] {
  if (more.length === 0) return rows;
  const all = [...rows];
  for (const row of more) {
    // Nearly every row has its place near the end.
    const before = all.findLastIndex(({ id }) => id <= row.id);
    const isThere = all[before]?.id === row.id;
    all.splice(isThere ? before : before + 1, Number(isThere), row);
  }
  return all.slice(-MAX_ROWS);
}

/**
 * Returns the lines of rows, which are ordered by id. A call within another one stands within its lines; a
 * call under way has no reply yet.
 */
export function linesOf(rows: readonly Row[]): Line[] {
  const lines: Line[] = [];
  let open: Message[] = [];
  const close = (isOver: (message: Message) => boolean) => {
    if (open.length === 0) return;
    const over = open.filter(isOver).sort((a, b) => a.endedAt - b.endedAt || b.id - a.id);
    open = open.filter((message) => !over.includes(message));
    lines.push(...over.map((message): Line => ({ kind: 'reply', message })));
  };
  for (const row of rows) {
    const at = row.kind === 'message' ? row.beganAt : row.at;
    close((message) => message.endedAt < at || (message.endedAt === at && !isWithin(row, message)));
    if (row.kind === 'remark') lines.push({ kind: 'remark', remark: row });
    else {
      if (row.outcome !== 'underWay') open.push(row);
      lines.push({ kind: 'call', message: row });
    }
  }
  close(() => true);
  return lines;
}

/** Whether a row of the millisecond in which `message` ended is a call by the called party. */
function isWithin(row: Row, message: Message): boolean {
  return row.kind === 'message' && row.wire === 'auth->ehr' && message.wire === 'client->auth';
}

export type Filter = {
  readonly party: PartyName | '';
  readonly method: string;
  readonly outcome: Outcome | '';
  readonly person: string;
  /** Stands anywhere in what the lanes show of a message: `#7`, a part of its method, its answer. */
  readonly text: string;
};

export const noFilter: Filter = { party: '', method: '', outcome: '', person: '', text: '' };

export function isFiltered(filter: Filter): boolean {
  return Object.values(filter).some((value) => value !== '');
}

/** Returns the rows that the filter lets through. Remarks stand between messages, so a filter drops them. */
export function filtered(rows: readonly Row[], filter: Filter): readonly Row[] {
  return isFiltered(filter) ? rows.filter((row) => row.kind === 'message' && fits(row, filter)) : rows;
}

/** Returns how many messages the filter hides. */
export function hiddenCount(rows: readonly Row[], filter: Filter): number {
  if (!isFiltered(filter)) return 0;
  return rows.filter((row) => row.kind === 'message' && !fits(row, filter)).length;
}

export function isHidden(id: number, rows: readonly Row[], filter: Filter): boolean {
  return rows.some((row) => row.kind === 'message' && row.id === id && !fits(row, filter));
}

function fits(message: Message, { party, method, outcome, person, text }: Filter): boolean {
  return (
    (party === '' || message.from === party || message.to === party) &&
    (method === '' || message.method === method) &&
    (outcome === '' || message.outcome === outcome) &&
    (person === '' || message.person === person) &&
    (text === '' || textOf(message).includes(text.trim().toLowerCase()))
  );
}

function textOf({ id, method, summary, answer, person, fault, clause }: Message): string {
  const parts = [`#${id}`, person, method, summary, answer, clause, fault];
  return parts.filter(Boolean).join(' ').toLowerCase();
}

/** Returns the methods of all messages, in alphabetical order. */
export function methodsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => (row.kind === 'message' ? [row.method] : [])))].sort();
}

/** Returns the people of all messages, in the order in which they came. */
export function peopleOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => (row.kind === 'message' ? (row.person ?? []) : [])))];
}

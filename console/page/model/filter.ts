/** The filter of the lanes: by party, method, outcome, person and any text of a message. */
import type { Message, Outcome, PartyName, Row } from '../../api.ts';

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

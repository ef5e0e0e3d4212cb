/** The filter of the lanes: by party, method, outcome and person. */
import type { Message, Outcome, PartyName, Row } from '../../api.ts';

export type Filter = {
  readonly party: PartyName | '';
  readonly method: string;
  readonly outcome: Outcome | '';
  readonly person: string;
};

export const noFilter: Filter = { party: '', method: '', outcome: '', person: '' };

export function isFiltered(filter: Filter): boolean {
  return Object.values(filter).some((value) => value !== '');
}

/** Returns the rows that the filter lets through. Remarks stand between messages, so a filter drops them. */
export function filtered(rows: readonly Row[], filter: Filter): readonly Row[] {
  return isFiltered(filter) ? rows.filter((row) => row.kind === 'message' && fits(row, filter)) : rows;
}

function fits(message: Message, { party, method, outcome, person }: Filter): boolean {
  return (
    (party === '' || message.from === party || message.to === party) &&
    (method === '' || message.method === method) &&
    (outcome === '' || message.outcome === outcome) &&
    (person === '' || message.person === person)
  );
}

/** Returns the methods of all messages, in alphabetical order. */
export function methodsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => (row.kind === 'message' ? [row.method] : [])))].sort();
}

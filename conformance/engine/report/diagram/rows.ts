/** The rows of a sequence diagram: steps, calls and replies in chronological order. */
import type { Entry, ExchangeEntry, OutcomeEntry, StepEntry } from '../../journal/entry.ts';
import { outcomesIn } from '../../journal/played-steps.ts';
import { notPlayed, remarkOf } from '../words.ts';

export type DiagramRow =
  /** A step begins; the rows until the next one happened after this. */
  | { kind: 'step'; step: StepEntry; outcome: OutcomeEntry | undefined }
  | { kind: 'call'; exchange: ExchangeEntry }
  | { kind: 'reply'; exchange: ExchangeEntry }
  /** `seq` of the entry if there are many such notes: it is shown only as evidence. */
  | { kind: 'note'; text: string; seq?: number }
  /** Messages and steps left out here. */
  | { kind: 'gap'; exchanges: number; steps: number };

/** Returns all rows of one scenario's entries, which are ordered by `seq`. */
export function rowsOf(entries: readonly Entry[]): DiagramRow[] {
  const outcomes = outcomesIn(entries);
  const rows: DiagramRow[] = [];
  let open: ExchangeEntry[] = [];
  const close = (isOver: (exchange: ExchangeEntry) => boolean) => {
    const over = open.filter(isOver).sort(byEnd);
    open = open.filter((exchange) => !over.includes(exchange));
    rows.push(...over.map((exchange): DiagramRow => ({ kind: 'reply', exchange })));
  };
  for (const entry of entries) {
    close(
      (exchange) =>
        exchange.endedAt < entry.at || (exchange.endedAt === entry.at && !within(entry, exchange)),
    );
    if (entry.kind === 'exchange') open.push(entry);
    rows.push(...rowsFor(entry, outcomes));
  }
  close(() => true);
  return rows;
}

function rowsFor(entry: Entry, outcomes: ReadonlyMap<number, OutcomeEntry>): DiagramRow[] {
  switch (entry.kind) {
    case 'exchange':
      return [{ kind: 'call', exchange: entry }];
    case 'step':
      return [{ kind: 'step', step: entry, outcome: outcomes.get(entry.seq) }];
    case 'note':
      return [{ kind: 'note', text: entry.text }];
    case 'scenario':
      if (entry.stopped) return [{ kind: 'note', text: `Stopped: ${entry.stopped.because}` }];
      return entry.absent ? [{ kind: 'note', text: notPlayed(entry.absent) }] : [];
    case 'server':
      return [{ kind: 'note', text: remarkOf(entry) }];
    case 'silence':
    case 'code':
    case 'observation':
      return [{ kind: 'note', text: remarkOf(entry), seq: entry.seq }];
    case 'outcome':
      return [];
  }
}

/** Orders calls by their end; in the same millisecond, the innermost, which began last, comes first. */
function byEnd(a: ExchangeEntry, b: ExchangeEntry): number {
  return a.endedAt - b.endedAt || b.seq - a.seq;
}

/** Whether an entry of the millisecond in which `exchange` ended is a call by the called party. */
function within(entry: Entry, exchange: ExchangeEntry): boolean {
  return entry.kind === 'exchange' && exchange.link === 'client->auth' && entry.link.startsWith('auth->');
}

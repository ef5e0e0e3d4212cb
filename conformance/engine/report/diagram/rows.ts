/**
 * Makes the rows of a sequence diagram from the journal of a scenario: steps, calls and replies, in the order
 * of time.
 */
import type { Entry, ExchangeEntry, OutcomeEntry, StepEntry } from '../../journal/entry.ts';
import { outcomesIn } from '../../journal/played-steps.ts';
import { notPlayed, remarkOf } from '../words.ts';

export type DiagramRow =
  /** A step begins. The rows up to the next row of this kind happened after its beginning. */
  | { kind: 'step'; step: StepEntry; outcome: OutcomeEntry | undefined }
  | { kind: 'call'; exchange: ExchangeEntry }
  | { kind: 'reply'; exchange: ExchangeEntry }
  /** A remark. One with `seq` is of a frequent kind: it is shown only as evidence of a verdict. */
  | { kind: 'note'; text: string; seq?: number }
  /** A place where this many messages and steps are not shown. */
  | { kind: 'gap'; exchanges: number; steps: number };

export function rowsOf(entries: readonly Entry[]): DiagramRow[] {
  const outcomes = outcomesIn(entries);
  const rows: DiagramRow[] = [];
  let openCalls: ExchangeEntry[] = [];
  const close = (isOver: (exchange: ExchangeEntry) => boolean) => {
    const over = openCalls.filter(isOver).sort(byEnd);
    openCalls = openCalls.filter((exchange) => !over.includes(exchange));
    rows.push(...over.map((exchange): DiagramRow => ({ kind: 'reply', exchange })));
  };
  for (const entry of entries) {
    close(
      (exchange) =>
        exchange.endedAt < entry.at || (exchange.endedAt === entry.at && !within(entry, exchange)),
    );
    if (entry.kind === 'exchange') openCalls.push(entry);
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

/**
 * Orders calls by their end. In the same millisecond, the call that began last comes first: it ran inside the
 * other.
 */
function byEnd(a: ExchangeEntry, b: ExchangeEntry): number {
  return a.endedAt - b.endedAt || b.seq - a.seq;
}

/**
 * Whether an entry of the millisecond in which `exchange` ended is a call that the called party made to
 * answer it. The authorization server calls others to answer the client.
 */
function within(entry: Entry, exchange: ExchangeEntry): boolean {
  return entry.kind === 'exchange' && exchange.link === 'client->auth' && entry.link.startsWith('auth->');
}

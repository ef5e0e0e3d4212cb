/**
 * Selects the part of a scenario that the diagram of a check shows: the entries that the verdict names (its
 * evidence), the steps around them, and gaps for the rest.
 */
import type { Entry, ExchangeEntry } from '../../journal/entry.ts';
import { outcomesIn } from '../../journal/played-steps.ts';
import { type DiagramRow, rowsOf } from './rows.ts';

/** A step with more messages than this shows its evidence only: other steps ran at the same time. */
const MAX_MESSAGES_OF_STEP = 8;

export type Selected = { rows: DiagramRow[]; left: number };

/**
 * Returns the rows of one scenario around the evidence.
 * @param evidence `seq` of the entries that the verdict names
 * @param limit how many messages are shown at most
 */
export function selectRows(
  entries: readonly Entry[],
  evidence: ReadonlySet<number>,
  limit: number,
): Selected {
  const kept = contextOf(entries, evidence);
  const wanted = entries.filter(
    (entry): entry is ExchangeEntry => entry.kind === 'exchange' && kept.has(entry.seq),
  );
  // The evidence comes first: where the limit cuts, it cuts the other messages.
  const [first, second] = [
    wanted.filter(({ seq }) => evidence.has(seq)),
    wanted.filter(({ seq }) => !evidence.has(seq)),
  ];
  const shown = new Set([...first, ...second].slice(0, limit));
  const last =
    shown.size < wanted.length ? Math.max(...[...shown].map(({ seq }) => seq)) : Number.POSITIVE_INFINITY;
  const isShown = (row: DiagramRow) => {
    if (row.kind === 'step') return kept.has(row.step.seq) && row.step.seq <= last;
    if (row.kind === 'call' || row.kind === 'reply') return shown.has(row.exchange);
    return row.kind === 'note' && (row.seq === undefined || evidence.has(row.seq));
  };
  return { rows: withGaps(rowsOf(entries), isShown), left: wanted.length - shown.size };
}

/**
 * `seq` of the evidence, of its steps, and of the other messages during these steps. Of a crowded step only
 * the evidence is taken.
 */
function contextOf(entries: readonly Entry[], evidence: ReadonlySet<number>): Set<number> {
  const kept = new Set(evidence);
  const outcomes = outcomesIn(entries);
  const exchanges = entries.filter((entry) => entry.kind === 'exchange');
  const shown = exchanges.filter(({ seq }) => evidence.has(seq));
  for (const step of entries) {
    if (step.kind !== 'step') continue;
    const end = outcomes.get(step.seq)?.seq;
    const began = ({ seq }: ExchangeEntry) => seq > step.seq && seq < (end ?? Number.POSITIVE_INFINITY);
    const named = evidence.has(step.seq) || (end !== undefined && evidence.has(end));
    if (!named && !shown.some(began)) continue;
    const during = exchanges.filter(began);
    const crowded = during.length > MAX_MESSAGES_OF_STEP;
    if (crowded && !named) continue;
    kept.add(step.seq);
    if (!crowded) for (const { seq } of during) kept.add(seq);
  }
  return kept;
}

/**
 * The rows that are shown, with one row for each gap between them. Replies are not counted: each belongs to a
 * call.
 */
function withGaps(rows: readonly DiagramRow[], isShown: (row: DiagramRow) => boolean): DiagramRow[] {
  const result: DiagramRow[] = [];
  let gap = { exchanges: 0, steps: 0 };
  const endGap = () => {
    if (gap.exchanges > 0 || gap.steps > 0) result.push({ kind: 'gap', ...gap });
    gap = { exchanges: 0, steps: 0 };
  };
  for (const row of rows) {
    if (isShown(row)) {
      endGap();
      result.push(row);
    } else if (row.kind === 'call') gap.exchanges++;
    else if (row.kind === 'step') gap.steps++;
  }
  endGap();
  return result;
}

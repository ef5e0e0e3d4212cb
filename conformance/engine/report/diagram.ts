/**
 * Makes the rows of a sequence diagram from the journal of a scenario. For a verdict it selects the scenes:
 * the entries that it names (its evidence), the steps around them, and gaps for the rest.
 */
import type { Entry, ExchangeEntry, OutcomeEntry, StepEntry } from '../journal/entry.ts';
import { outcomesIn } from '../journal/played-steps.ts';
import type { ReportedVerdict } from './schema/schema.ts';
import { evidenceOf, notPlayed, remarkOf } from './words.ts';

export type DiagramRow =
  /** A step begins. The rows up to the next row of this kind happened after its beginning. */
  | { kind: 'step'; step: StepEntry; outcome: OutcomeEntry | undefined }
  | { kind: 'call'; exchange: ExchangeEntry }
  | { kind: 'reply'; exchange: ExchangeEntry }
  /** A remark. One with `seq` is of a frequent kind: it is shown only as evidence of a verdict. */
  | { kind: 'note'; text: string; seq?: number }
  /** A place where this many messages and steps are not shown. */
  | { kind: 'gap'; exchanges: number; steps: number };

/** Rows of a scenario. `evidence`: the `seq` that the verdict names. `left`: messages that are not shown. */
export type Scene = { scenario: string; rows: DiagramRow[]; evidence: ReadonlySet<number>; left: number };

/** Entries by scenario, and the scenario of each entry by its `seq`. */
export type Places = {
  groups: ReadonlyMap<string, readonly Entry[]>;
  scenarioBySeq: ReadonlyMap<number, string>;
};

export function rowsOf(entries: readonly Entry[]): DiagramRow[] {
  const outcomes = outcomesIn(entries);
  const rows: DiagramRow[] = [];
  let openCalls: ExchangeEntry[] = [];
  const close = (isOver: (exchange: ExchangeEntry) => boolean) => {
    // In one millisecond, the call that began later ends first: it ran inside the other.
    const over = openCalls.filter(isOver).sort((a, b) => a.endedAt - b.endedAt || b.seq - a.seq);
    openCalls = openCalls.filter((exchange) => !over.includes(exchange));
    rows.push(...over.map((exchange): DiagramRow => ({ kind: 'reply', exchange })));
  };
  for (const entry of entries) {
    close(
      (exchange) =>
        exchange.endedAt < entry.at || (exchange.endedAt === entry.at && !isMadeToAnswer(entry, exchange)),
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
 * Whether the entry is a call that the authorization server made to answer `exchange`. It is asked where both
 * have the same millisecond, which cannot tell.
 */
function isMadeToAnswer(entry: Entry, exchange: ExchangeEntry): boolean {
  return entry.kind === 'exchange' && exchange.link === 'client->auth' && entry.link.startsWith('auth->');
}

/** A step with more messages than this shows its evidence only: other steps ran at the same time. */
const MAX_MESSAGES_OF_STEP = 8;

type Selected = { rows: DiagramRow[]; left: number };

/** The rows of one scenario around the evidence (`seq`), with at most `limit` messages. */
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
  const isOther = ({ seq }: Entry) => Number(!evidence.has(seq));
  const shown = new Set(wanted.toSorted((a, b) => isOther(a) - isOther(b)).slice(0, limit));
  // Where the limit cuts, a step after the last message shown would stand without its messages.
  const last =
    shown.size < wanted.length ? Math.max(...[...shown].map(({ seq }) => seq)) : Number.POSITIVE_INFINITY;
  const isShown = (row: DiagramRow) => {
    if (row.kind === 'step') return kept.has(row.step.seq) && row.step.seq <= last;
    if (row.kind === 'call' || row.kind === 'reply') return shown.has(row.exchange);
    return row.kind === 'note' && (row.seq === undefined || evidence.has(row.seq));
  };
  return { rows: withGaps(rowsOf(entries), isShown), left: wanted.length - shown.size };
}

/** `seq` of the evidence, its steps and the messages in them; of a crowded step the evidence alone. */
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

/** The rows that are shown, and the gaps between them. Replies are not counted: each belongs to a call. */
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

/** Limits the messages of a scene. A failure deserves room; of a pass a short example is enough. */
const MAX_MESSAGES = { pass: 8, other: 30 };
/** Limits the scenes of a verdict by outcome. */
const MAX_SCENES = { pass: 1, other: 4 };

/** Returns one scene for each scenario that the evidence of a verdict is in, up to the limit. */
export function scenesOf(
  { finding, outcome }: Pick<ReportedVerdict, 'finding' | 'outcome'>,
  { groups, scenarioBySeq }: Places,
): Scene[] {
  const evidence = new Set(evidenceOf(finding));
  const kind = outcome === 'pass' ? 'pass' : 'other';
  const names = new Set([...evidence].flatMap((seq) => scenarioBySeq.get(seq) ?? []));
  return [...names].slice(0, MAX_SCENES[kind]).map((scenario) => {
    const { rows, left } = selectRows(groups.get(scenario) ?? [], evidence, MAX_MESSAGES[kind]);
    return { scenario, rows, evidence, left };
  });
}

/** The verdicts in the margin of a scenario: each stands at the newest of its messages that shows it. */

import type { Outcome } from '../../check/verdict.ts';
import type { Entry } from '../../journal/entry.ts';
import { groupBy } from '../../journal/group-by.ts';
import type { Report, ReportedVerdict } from '../schema/schema.ts';
import { evidenceOf, outcomesInOrder } from '../words.ts';

/** The worst verdict of a message, and how many stand there beside it. */
export type Mark = { check: string; title: string; outcome: Outcome; clause: string; more: number };

/** Returns the mark of each message that decided a verdict, by its `seq`. */
export function marksOf(entries: readonly Entry[], { verdicts }: Report): Map<number, Mark> {
  const own = new Set(entries.flatMap((entry) => (entry.kind === 'exchange' ? [entry.seq] : [])));
  const deciding = groupBy(verdicts, ({ finding }) => {
    const shown = evidenceOf(finding).filter((seq) => own.has(seq));
    return shown.length === 0 ? undefined : Math.max(...shown);
  });
  return new Map([...deciding].map(([seq, all]) => [seq, markOf(all)]));
}

function markOf(verdicts: readonly ReportedVerdict[]): Mark {
  const order = (verdict: ReportedVerdict) => outcomesInOrder.indexOf(verdict.outcome);
  const worst = verdicts.reduce((a, b) => (order(b) < order(a) ? b : a));
  const { check, title, outcome, clause } = worst;
  return { check, title, outcome, clause: shortClause(clause), more: verdicts.length - 1 };
}

/** The margin has room for one paragraph, such as `§2.3` of `good practice, §2.3, §2.4`. */
function shortClause(clause: string): string {
  return /§[\d.]*\d/.exec(clause)?.[0] ?? clause.split(',')[0] ?? clause;
}

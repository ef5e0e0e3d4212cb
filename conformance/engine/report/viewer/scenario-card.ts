/** Shows a scenario as a card: how it ended, its verdicts, and its diagram with them in the margin. */
import type { Entry } from '../../journal/entry.ts';
import { groupBy } from '../../journal/group-by.ts';
import { type DiagramRow, rowsOf } from '../diagram.ts';
import { type View, worstOf } from '../lookup.ts';
import type { ReportedScenario, ReportedVerdict } from '../schema/schema.ts';
import { answerOf, callOf, count, duration, evidenceOf, outcomesInOrder } from '../words.ts';
import { diagramOf, gap, type Mark } from './diagram.ts';
import { type Content, el, outcomeWords, tag } from './elements.ts';
import { textsIn } from './find.ts';
import { cardOf } from './frame.ts';

export function scenarioCard(about: ReportedScenario, view: View): HTMLDetailsElement {
  const { scenario, title, stopped, absent, finished, steps, exchanges, took } = about;
  const verdicts = about.checks.flatMap((check) => view.verdictOf.get(check) ?? []);
  const counts = outcomesInOrder.flatMap((outcome) => {
    const number = verdicts.filter((verdict) => verdict.outcome === outcome).length;
    return number === 0 ? [] : [{ outcome, words: `${number} ${outcomeWords[outcome]}` }];
  });
  const worst = counts[0]?.outcome ?? 'not applicable';
  const own = view.places.groups.get(scenario) ?? [];
  return cardOf({
    kind: 'scenario',
    name: scenario,
    outcome: worst,
    title,
    tags: [
      finished ? stopped && tag('stopped', 'warning') : tag('broken off', 'fail'),
      absent && tag('not played'),
      counts.map(({ outcome, words }) => tag(words, outcome)),
      el('code', scenario),
      el('span', `${count(steps, 'step')}, ${count(exchanges, 'message')}, ${duration(took)}`),
    ],
    inside: () => insideOf(about, own, verdicts),
    text: () => textsIn([about, own.map(wordsOf)]),
  });
}

/** What a search finds of an entry. */
function wordsOf(entry: Entry): unknown {
  if (entry.kind === 'exchange') return [callOf(entry), answerOf(entry)];
  return entry.kind === 'step' ? [entry.user, entry.label, entry.defect] : entry;
}

function insideOf(
  { stopped, shown, exchanges }: ReportedScenario,
  own: readonly Entry[],
  verdicts: readonly ReportedVerdict[],
): Content {
  const left = exchanges - shown;
  return [
    stopped && el('p.more', `It could not go on: ${stopped.because}. To blame: ${stopped.blame}.`),
    diagramOf({ rows: beginningOf(own, shown), marks: marksOf(own, verdicts) }),
    left > 0 && gap(`${count(left, 'further message')} in run.json`),
  ];
}

/** The rows of a scenario up to this number of messages. What verdicts name beyond them is in their cards. */
function beginningOf(own: readonly Entry[], most: number): DiagramRow[] {
  // The message that brought a code is shown. The code itself is worth a row only when it can be guessed.
  const rows = rowsOf(own.filter((entry) => entry.kind !== 'code' || entry.facts.derived !== undefined));
  const calls = rows.flatMap((row) => (row.kind === 'call' ? [row.exchange.seq] : []));
  const end = calls[most];
  if (end === undefined) return rows;
  const at = rows.findIndex((row) => row.kind === 'call' && row.exchange.seq === end);
  const shown = new Set(calls.slice(0, most));
  return rows.filter((row, index) => ('exchange' in row ? shown.has(row.exchange.seq) : index < at));
}

/** The verdicts on a scenario, each at the newest message that it names, by the `seq` of the message. */
function marksOf(own: readonly Entry[], verdicts: readonly ReportedVerdict[]): Map<number, Mark> {
  const messages = new Set(own.flatMap((entry) => (entry.kind === 'exchange' ? [entry.seq] : [])));
  const deciding = groupBy(verdicts, ({ finding }) => {
    const shown = evidenceOf(finding).filter((seq) => messages.has(seq));
    return shown.length === 0 ? undefined : Math.max(...shown);
  });
  return new Map([...deciding].map(([seq, all]) => [seq, { verdict: worstOf(all), more: all.length - 1 }]));
}

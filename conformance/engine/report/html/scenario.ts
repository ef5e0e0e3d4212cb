/**
 * Builds the card of one scenario in the HTML report: how it ended, what its verdicts are, and its diagram,
 * in which each message opens.
 */
import { scenariosByEntry } from '../../journal/attribution.ts';
import type { Entry } from '../../journal/entry.ts';
import { groupBy } from '../../journal/group-by.ts';
import { type DiagramRow, rowsOf } from '../diagram/rows.ts';
import type { Report, ReportedScenario, ReportedVerdict } from '../schema/schema.ts';
import { count, duration, evidenceOf, outcomeSigns, outcomesInOrder } from '../words.ts';
import { classOf, outcomeWords } from './card.ts';
import { diagramOf, type Mark } from './diagram.ts';
import { html, type Markup } from './markup.ts';

/** The part of a scenario that the diagram in its card shows. */
export type ScenarioPart = {
  rows: DiagramRow[];
  left: number;
  /** The verdict in the margin beside a message, by its `seq`. */
  marks: ReadonlyMap<number, Mark>;
};

/** Returns the beginning of a scenario, up to `most` messages. */
export function partOf(entries: readonly Entry[], report: Report, most: number): ScenarioPart {
  const marks = marksOf(entries, report);
  // The message that brought a code is shown. The code itself is worth a row only when it can be guessed.
  const rows = rowsOf(entries.filter((entry) => entry.kind !== 'code' || entry.facts.derived !== undefined));
  const calls = rows.filter((row) => row.kind === 'call').map(({ exchange }) => exchange.seq);
  if (calls.length <= most) return { rows, left: 0, marks };
  const shown = new Set(calls.slice(0, most));
  const isShown = (row: DiagramRow) => !('exchange' in row) || shown.has(row.exchange.seq);
  const end = rows.findIndex((row) => row.kind === 'call' && !shown.has(row.exchange.seq));
  return {
    rows: rows.filter((row, index) => isShown(row) && (index < end || 'exchange' in row)),
    left: calls.length - shown.size,
    marks,
  };
}

/**
 * Returns the verdicts on each scenario: those that its entries show. One that names no entry counts for its
 * scenarios, unless it judges them all.
 */
export function verdictsByScenario(
  entries: readonly Entry[],
  { verdicts, scenarios }: Report,
): Map<string, ReportedVerdict[]> {
  const home = scenariosByEntry(entries);
  const played = scenarios.filter(({ scenario }) => scenario !== '').length;
  const placed = verdicts.flatMap((verdict) => {
    const shown = new Set(evidenceOf(verdict.finding).map((seq) => home.get(seq) ?? ''));
    const ofAll = verdict.scenarios.length >= played ? [] : verdict.scenarios;
    return [...(shown.size > 0 ? shown : ofAll)].map((scenario) => ({ scenario, verdict }));
  });
  const groups = groupBy(placed, ({ scenario }) => scenario);
  return new Map([...groups].map(([scenario, all]) => [scenario, all.map(({ verdict }) => verdict)]));
}

/** Builds the card of a scenario with its verdicts. Its diagram is among what {@link Packed} has. */
export function scenarioOf(about: ReportedScenario, verdicts: readonly ReportedVerdict[]): Markup {
  const { scenario, title, stopped, absent, finished, steps, exchanges, took } = about;
  const state = !finished
    ? html`<span class="tag fail">broken off</span>`
    : stopped && html`<span class="tag warning">stopped</span>`;
  const notes = absent && html`<span class="tag">not played</span>`;
  const counts = outcomesInOrder.flatMap((outcome) => {
    const number = verdicts.filter((verdict) => verdict.outcome === outcome).length;
    return number === 0 ? [] : [{ outcome, words: `${number} ${outcomeWords[outcome]}` }];
  });
  const worst = counts[0]?.outcome ?? 'not applicable';
  const tags = counts.map(
    ({ outcome, words }) => html`<span class="tag ${classOf(outcome)}">${words}</span>`,
  );
  return html`<details class="card scenario ${classOf(worst)}" id="scenario-${scenario}" data-packed="scenario-${scenario}"><summary><h3><span class="sign ${classOf(worst)}" aria-hidden="true">${outcomeSigns[worst]}</span><span class="title">${title}</span></h3><span class="tags">${state}${notes}${tags}<code>${scenario}</code><span>${count(steps, 'step')}, ${count(exchanges, 'message')}, ${duration(took)}</span></span></summary><div class="inside">${stoppedText(about)}<p>Its messages are in run.json; with JavaScript this page shows them.</p></div></details>`;
}

/** Returns what the card of a scenario shows: why it stopped, and its diagram. */
export function scenarioDiagram(
  about: ReportedScenario,
  part: ScenarioPart,
  hasMessage: (seq: number) => boolean,
): Markup {
  const left = part.left > 0 && html`<p class="gap">${count(part.left, 'further message')} in run.json</p>`;
  return html`${stoppedText(about)}<div class="scene">${diagramOf({ ...part, evidence: new Set(), hasMessage })}${left}</div>`;
}

const stoppedText = ({ stopped }: ReportedScenario): Markup | undefined =>
  stopped && html`<p class="stopped">It could not go on: ${stopped.because}. To blame: ${stopped.blame}.</p>`;

/**
 * The verdict in the margin of each message, by its `seq`. A verdict stands at the newest message of the
 * scenario that it names.
 */
function marksOf(entries: readonly Entry[], { verdicts }: Report): Map<number, Mark> {
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

/**
 * The first paragraph of a clause, since the margin has no room for more: `§2.3` of `good practice, §2.3,
 * §2.4`.
 */
function shortClause(clause: string): string {
  return /§[\d.]*\d/.exec(clause)?.[0] ?? clause.split(',')[0] ?? clause;
}

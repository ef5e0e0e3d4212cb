/**
 * Builds the card of one scenario in the HTML report: how it ended, its diagram, and its messages. A message
 * is in the page once, in the card of its scenario.
 */
import type { Entry, ExchangeEntry } from '../../journal/entry.ts';
import { groupBy } from '../../journal/group-by.ts';
import { type DiagramRow, rowsOf } from '../diagram/rows.ts';
import { type Moment, momentsOf } from '../held.ts';
import type { Report, ReportedScenario, ReportedVerdict } from '../schema/schema.ts';
import { count, duration, evidenceOf, outcomesInOrder } from '../words.ts';
import { diagramOf, type Mark } from './diagram.ts';
import { html, type Markup } from './markup.ts';
import { messageOf, sendAgain } from './message.ts';

/**
 * Limits the messages of a diagram. Scenarios with a crowd of users have hundreds, which nobody reads one by
 * one.
 */
const MAX_MESSAGES = 60;

/** The part of a scenario that the diagram in its card shows. */
export type ScenarioPart = {
  rows: DiagramRow[];
  /** How many messages the diagram does not show. */
  left: number;
  /** The verdict in the margin beside a message, by its `seq`. */
  marks: ReadonlyMap<number, Mark>;
  /** What a message changed at a server, by its `seq`. */
  moments: ReadonlyMap<number, Moment>;
};

/** Returns the beginning of a scenario, up to the maximum number of messages. */
export function partOf(entries: readonly Entry[], report: Report): ScenarioPart {
  const beside = { marks: marksOf(entries, report), moments: momentsOf(entries) };
  // The message that brought a code is shown. The code itself is worth a row only when it can be guessed.
  const rows = rowsOf(entries.filter((entry) => entry.kind !== 'code' || entry.facts.derived !== undefined));
  const calls = rows.filter((row) => row.kind === 'call').map(({ exchange }) => exchange.seq);
  if (calls.length <= MAX_MESSAGES) return { rows, left: 0, ...beside };
  const shown = new Set(calls.slice(0, MAX_MESSAGES));
  const isShown = (row: DiagramRow) => !('exchange' in row) || shown.has(row.exchange.seq);
  const end = rows.findIndex((row) => row.kind === 'call' && !shown.has(row.exchange.seq));
  return {
    rows: rows.filter((row, index) => isShown(row) && (index < end || 'exchange' in row)),
    left: calls.length - shown.size,
    ...beside,
  };
}

/** `messages` are those of the scenario that the page contains. */
export type ScenarioOptions = {
  part: ScenarioPart;
  messages: readonly ExchangeEntry[];
  hasMessage: (seq: number) => boolean;
};

/** Builds the card of a scenario. */
export function scenarioOf(about: ReportedScenario, { part, messages, hasMessage }: ScenarioOptions): Markup {
  const { scenario, title, stopped, absent, finished, steps, exchanges, took } = about;
  const state = !finished
    ? html`<span class="tag fail">broken off</span>`
    : stopped && html`<span class="tag warning">stopped</span>`;
  const notes = absent && html`<span class="tag">not played</span>`;
  return html`<details class="card scenario" id="scenario-${scenario}"><summary><h3><span class="title">${title}</span></h3><span class="tags">${state}${notes}<code>${scenario}</code><span>${count(steps, 'step')}, ${count(exchanges, 'message')}, ${duration(took)}</span></span></summary><div class="inside">${
    stopped &&
    html`<p class="stopped">It could not go on: ${stopped.because}. To blame: ${stopped.blame}.</p>`
  }${diagramOf({ ...part, evidence: new Set(), hasMessage })}${
    part.left > 0 && html`<p class="gap">${count(part.left, 'further message')} in run.json</p>`
  }${messages.length > 0 && html`<h4>Messages</h4><div class="messages">${messages.map((message) => messageOf(message, sendAgain(message)))}</div>`}</div></details>`;
}

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

/** The worst of these verdicts, and how many others there are. */
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

/** The report as one HTML file that opens offline. */
import type { Entry, ExchangeEntry } from '../journal/entry.ts';
import type { Run } from '../journal/run-file.ts';
import { aboutOf } from './html/about.ts';
import { cardOf, classOf, outcomeWords } from './html/card.ts';
import { causesOf } from './html/causes.ts';
import { arrowheads } from './html/diagram.ts';
import { headOf } from './html/head.ts';
import { type Content, html, type Markup } from './html/markup.ts';
import { pageOf } from './html/page.ts';
import { requirementsTable } from './html/requirements-table.ts';
import { partOf, type ScenarioPart, scenarioOf } from './html/scenario.ts';
import { type Scene, scenesOf } from './html/scenes.ts';
import { harData } from './html/send-again.ts';
import { styles } from './html/styles.ts';
import { byScenario } from './scenarios.ts';
import type { Report } from './schema/schema.ts';
import { outcomeSigns, outcomesInOrder } from './words.ts';

/**
 * Builds the page from the messages of `run` and the other data of `report`. The size is bounded: long
 * scenarios are shown in part, long bodies are cut, and every message is included once.
 */
export function htmlOf(run: Run, report: Report): string {
  const scenes = scenesOf(run, report);
  const groups = byScenario(run.entries);
  const parts = new Map([...groups].map(([scenario, entries]) => [scenario, partOf(entries, report)]));
  const inPage = messagesShown([...scenes.values()].flat(), [...parts.values()]);
  const hasMessage = (seq: number) => inPage.has(seq);
  const isShown = (entry: Entry): entry is ExchangeEntry =>
    entry.kind === 'exchange' && inPage.has(entry.seq);
  const { counts } = report.summary;

  const cards = outcomesInOrder.flatMap((outcome) => {
    const verdicts = inOrderOfCause(report).filter((verdict) => verdict.outcome === outcome);
    if (verdicts.length === 0) return [];
    const made = verdicts.map((verdict) =>
      cardOf(verdict, { report, scenes: scenes.get(verdict.check) ?? [], hasMessage }),
    );
    return [html`<div class="outcome ${classOf(outcome)}">${made}</div>`];
  });
  const scenarios = report.scenarios.map((about) => {
    const entries = groups.get(about.scenario) ?? [];
    const messages = entries.filter(isShown);
    return scenarioOf(about, { part: parts.get(about.scenario) as ScenarioPart, messages, hasMessage });
  });
  const shown = run.entries.filter(isShown);
  const body = html`${arrowheads()}<a class="skip" href="#checks">To the checks</a><div class="page">${headOf(report)}<div class="columns"><div class="side-bar">${filter(counts)}${navigation()}</div><main>${section(
    'checks',
    'Checks',
    report.verdicts.length === 0
      ? html`<p class="nothing">No check was asked.</p>`
      : [causesOf(report), ...cards],
  )}${section('requirements', 'Requirements', html`<p class="lead">${requirementsLead(report)}</p>${requirementsTable(report)}`)}${section(
    'scenarios',
    'Scenarios',
    scenarios.length === 0 ? html`<p class="nothing">Nothing was played.</p>` : [walkHint(), ...scenarios],
  )}${section('run', 'This run', aboutOf(report))}</main></div></div>${harData(shown, run.meta)}`;
  return pageOf({ title: `${report.meta.target}: ${report.summary.conclusion}`, styles, body });
}

/** Orders the verdicts so that those of one cause are adjacent. */
function inOrderOfCause({ verdicts, causes }: Report): Report['verdicts'] {
  const order = new Map(causes.flatMap(({ checks }) => checks).map((check, index) => [check, index]));
  return [...verdicts].sort((a, b) => (order.get(a.check) ?? 0) - (order.get(b.check) ?? 0));
}

function section(id: string, title: string, content: Content): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title"><div class="section-head"><h2 id="${id}-title">${title}</h2>${
    (id === 'checks' || id === 'scenarios') &&
    html`<span class="fold" hidden><button type="button" data-open="${id}">Open all</button><button type="button" data-close="${id}">Close all</button></span>`
  }</div>${content}</section>`;
}

/** Where the same is walked through message by message. */
function walkHint(): Markup {
  return html`<p class="lead">Each scenario shows its messages between the three lanes, the verdicts in the margin, and what the servers hold after each change. Each message has a HAR and a <code>curl</code> of itself. To walk through them message by message, start <code>npm run demo</code> and drop <a href="run.json">run.json</a>, which lies beside this file, on the page of the console.</p>`;
}

function filter(counts: Report['summary']['counts']): Markup {
  const total = outcomesInOrder.reduce((sum, outcome) => sum + counts[outcome], 0);
  const choice = (name: string, sign: string, label: string, number: number, checked: boolean) =>
    html`<label class="choice ${name}"><input type="radio" name="show" id="show-${name}" value="${name}"${checked && html` checked`}><span class="sign ${name}" aria-hidden="true">${sign}</span><span class="name">${label}</span><span class="number">${number}</span></label>`;
  return html`<div role="search" aria-label="Filter"><fieldset class="filter"><legend>Show</legend>${choice('all', '', 'all', total, true)}${outcomesInOrder.map(
    (outcome) =>
      choice(classOf(outcome), outcomeSigns[outcome], outcomeWords[outcome], counts[outcome], false),
  )}</fieldset></div>`;
}

function navigation(): Markup {
  const links = [
    ['checks', 'Checks'],
    ['requirements', 'Requirements'],
    ['scenarios', 'Scenarios'],
    ['run', 'This run'],
  ] as const;
  return html`<nav aria-label="Sections"><ul>${links.map(([id, title]) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`;
}

function requirementsLead({ summary }: Report): string {
  const { requirements } = summary;
  const total = Object.values(requirements).reduce((sum, number) => sum + number, 0);
  return `${total - requirements['not judged']} of ${total} requirements were judged: ${requirements.met} met, ${requirements.broken} broken, ${requirements.warning} with a warning, ${requirements.inconclusive} inconclusive.`;
}

/** Messages that an arrow of some diagram links to. */
function messagesShown(scenes: readonly Scene[], parts: readonly ScenarioPart[]): Set<number> {
  const rows = [...scenes, ...parts].flatMap((place) => place.rows);
  return new Set(rows.flatMap((row) => (row.kind === 'call' ? [row.exchange.seq] : [])));
}

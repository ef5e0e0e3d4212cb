/** Builds the report of a run as one HTML page, which opens offline. */
import type { Entry, ExchangeEntry } from '../journal/entry.ts';
import type { Run } from '../journal/run-file.ts';
import { cardOf, causesOf, classOf, outcomeWords } from './html/card.ts';
import { arrowheads } from './html/diagram.ts';
import { aboutOf, headOf } from './html/head.ts';
import { type Content, html, type Markup } from './html/markup.ts';
import { harData } from './html/message.ts';
import { pageOf } from './html/page.ts';
import { requirementsTable } from './html/requirements-table.ts';
import { partOf, scenarioOf } from './html/scenario.ts';
import { scenesOf } from './html/scenes.ts';
import { styles } from './html/styles.ts';
import { byScenario } from './scenarios.ts';
import type { Report, ReportedRequirement } from './schema/schema.ts';
import { outcomeSigns, outcomesInOrder } from './words.ts';

/**
 * Builds the page from the messages of `run` and all other data of `report`. Its size is limited: the page
 * shows long scenarios in part, cuts long bodies, and contains each message once.
 */
export function htmlOf(run: Run, report: Report): string {
  const scenes = scenesOf(run, report);
  const groups = byScenario(run.entries);
  const parts = report.scenarios.map((about) => {
    const entries = groups.get(about.scenario) ?? [];
    return { about, entries, part: partOf(entries, report) };
  });
  const rows = [...[...scenes.values()].flat(), ...parts.map(({ part }) => part)].flatMap(
    (each) => each.rows,
  );
  // The page contains only messages that an arrow of a diagram links to.
  const inPage = new Set(rows.flatMap((row) => (row.kind === 'call' ? [row.exchange.seq] : [])));
  const hasMessage = (seq: number) => inPage.has(seq);
  const isShown = (entry: Entry): entry is ExchangeEntry =>
    entry.kind === 'exchange' && inPage.has(entry.seq);

  const verdicts = inOrderOfCause(report);
  const cards = outcomesInOrder.flatMap((outcome) => {
    const made = verdicts
      .filter((verdict) => verdict.outcome === outcome)
      .map((verdict) => cardOf(verdict, { report, scenes: scenes.get(verdict.check) ?? [], hasMessage }));
    return made.length === 0 ? [] : [html`<div class="outcome ${classOf(outcome)}">${made}</div>`];
  });
  const scenarios = parts.map(({ about, entries, part }) =>
    scenarioOf(about, { part, messages: entries.filter(isShown), hasMessage }),
  );
  const sections: Readonly<Record<keyof typeof TITLES, Content>> = {
    checks:
      cards.length === 0 ? html`<p class="nothing">No check was asked.</p>` : [causesOf(report), ...cards],
    requirements: html`<p class="lead">${requirementsLead(report)}</p>${requirementsTable(report)}`,
    scenarios:
      scenarios.length === 0 ? html`<p class="nothing">Nothing was played.</p>` : [WALK_HINT, ...scenarios],
    run: aboutOf(report),
  };
  const main = ids.map((id) => section(id, sections[id]));
  const body = html`${arrowheads()}<a class="skip" href="#checks">To the checks</a><div class="page">${headOf(report)}<div class="columns"><div class="side-bar">${filter(report)}${navigation()}</div><main>${main}</main></div></div>${harData(run.entries.filter(isShown), run.meta)}`;
  return pageOf({ title: `${report.meta.target}: ${report.summary.conclusion}`, styles, body });
}

/** The sections of the page: id and title. */
const TITLES = {
  checks: 'Checks',
  requirements: 'Requirements',
  scenarios: 'Scenarios',
  run: 'This run',
} as const;
const ids = Object.keys(TITLES) as (keyof typeof TITLES)[];

/** Orders the verdicts so that those with the same cause stand together. */
function inOrderOfCause({ verdicts, causes }: Report): Report['verdicts'] {
  const order = new Map(causes.flatMap(({ checks }) => checks).map((check, index) => [check, index]));
  return [...verdicts].sort((a, b) => (order.get(a.check) ?? 0) - (order.get(b.check) ?? 0));
}

/** One section of the page. The buttons stay hidden until the script of the page shows them. */
function section(id: keyof typeof TITLES, content: Content): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title"><div class="section-head"><h2 id="${id}-title">${TITLES[id]}</h2>${
    (id === 'checks' || id === 'scenarios') &&
    html`<span class="fold" hidden><button type="button" data-open="${id}">Open all</button><button type="button" data-close="${id}">Close all</button></span>`
  }</div>${content}</section>`;
}

/** Tells where the same messages can be walked through one by one. */
const WALK_HINT = html`<p class="lead">Each scenario shows its messages between the three lanes, the verdicts in the margin, and what the servers hold after each change. Each message has a HAR and a <code>curl</code> of itself. To walk through them message by message, start <code>npm run demo</code> and drop <a href="run.json">run.json</a>, which lies beside this file, on the page of the console.</p>`;

/** The buttons that choose which outcomes are shown. `styles-base.ts` hides the others, without a script. */
function filter({ summary: { counts } }: Report): Markup {
  const total = outcomesInOrder.reduce((sum, outcome) => sum + counts[outcome], 0);
  const choice = (name: string, sign: string, label: string, number: number) =>
    html`<label class="choice ${name}"><input type="radio" name="show" id="show-${name}" value="${name}"${name === 'all' && html` checked`}><span class="sign ${name}" aria-hidden="true">${sign}</span><span class="name">${label}</span><span class="number">${number}</span></label>`;
  const choices = outcomesInOrder.map((outcome) =>
    choice(classOf(outcome), outcomeSigns[outcome], outcomeWords[outcome], counts[outcome]),
  );
  return html`<div role="search" aria-label="Filter"><fieldset class="filter"><legend>Show</legend>${choice('all', '', 'all', total)}${choices}</fieldset></div>`;
}

function navigation(): Markup {
  const links = ids.map((id) => html`<li><a href="#${id}">${TITLES[id]}</a></li>`);
  return html`<nav aria-label="Sections"><ul>${links}</ul></nav>`;
}

/** How many requirements were judged, and how, in one sentence. */
function requirementsLead({ requirements }: Report): string {
  const number = (is: ReportedRequirement['status']) =>
    requirements.filter(({ status }) => status === is).length;
  const { length } = requirements;
  return `${length - number('not judged')} of ${length} requirements were judged: ${number('met')} met, ${number('broken')} broken, ${number('warning')} with a warning, ${number('differs')} otherwise than in the reference, ${number('inconclusive')} inconclusive.`;
}

/** Builds the report of a run as one HTML page, which opens offline. */
import type { Run } from '../journal/run-file.ts';
import { cardOf, causesOf, classOf, openAtFirst, outcomeWords } from './html/card.ts';
import { dataOf } from './html/data.ts';
import { arrowheads } from './html/diagram.ts';
import { filterOf } from './html/filter.ts';
import { aboutOf, headOf } from './html/head.ts';
import { type Content, html, type Markup } from './html/markup.ts';
import { pageOf } from './html/page.ts';
import { requirementsTable } from './html/requirements-table.ts';
import { scenarioOf, verdictsByScenario } from './html/scenario.ts';
import { styles } from './html/styles/all.ts';
import type { Report, ReportedRequirement } from './schema/schema.ts';
import { outcomeSigns, outcomesInOrder } from './words.ts';

/** `playAlone` returns the command that plays a check alone; undefined where none does. */
export type HtmlOptions = { playAlone?: ((check: string) => string) | undefined };

/**
 * Builds the page from the messages of `run` and all other data of `report`. Its size is limited: the page
 * shows long scenarios in part, cuts long bodies, contains each message once, and packs what cards show when
 * they are opened.
 */
export function htmlOf(run: Run, report: Report, { playAlone }: HtmlOptions = {}): string {
  const verdicts = inOrderOfCause(report);
  const options = { report, playAlone, open: openAtFirst(verdicts, report) };
  const cards = outcomesInOrder.flatMap((outcome) => {
    const made = verdicts
      .filter((verdict) => verdict.outcome === outcome)
      .map((verdict) => cardOf(verdict, options));
    return made.length === 0 ? [] : [html`<div class="outcome ${classOf(outcome)}">${made}</div>`];
  });
  const ofScenario = verdictsByScenario(run.entries, report);
  const scenarios = report.scenarios.map((about) => scenarioOf(about, ofScenario.get(about.scenario) ?? []));
  const sections: Readonly<Record<keyof typeof TITLES, Content>> = {
    checks:
      cards.length === 0 ? html`<p class="nothing">No check was asked.</p>` : [causesOf(report), ...cards],
    requirements: html`<p class="lead">${requirementsLead(report)}</p>${requirementsTable(report)}`,
    scenarios:
      scenarios.length === 0 ? html`<p class="nothing">Nothing was played.</p>` : [WALK_HINT, ...scenarios],
    run: aboutOf(report),
  };
  const main = ids.map((id) => section(id, sections[id]));
  const body = html`${arrowheads()}<a class="skip" href="#checks">To the checks</a><div class="page">${headOf(report)}<div class="columns"><div class="side-bar">${filterOf(choicesOf(report))}${navigation()}</div><main>${main}</main></div></div>`;
  const pageWith = (more: Content) =>
    pageOf({
      title: `${report.meta.target}: ${report.summary.conclusion}`,
      styles,
      body: html`${body}${more}`,
    });
  const room = MAX_PAGE_BYTES - Buffer.byteLength(pageWith(false));
  return pageWith(dataOf(run, options, room));
}

/** A page of this size opens at once, and goes along with a mail. */
const MAX_PAGE_BYTES = 2_000_000;

const TITLES = {
  checks: 'Checks',
  requirements: 'Requirements',
  scenarios: 'Scenarios',
  run: 'This run',
} as const;
const ids = Object.keys(TITLES) as (keyof typeof TITLES)[];

function inOrderOfCause({ verdicts, causes }: Report): Report['verdicts'] {
  const order = new Map(causes.flatMap(({ checks }) => checks).map((check, index) => [check, index]));
  const place = ({ outcome }: Report['verdicts'][number]) => outcomesInOrder.indexOf(outcome);
  return [...verdicts].sort(
    (a, b) => place(a) - place(b) || (order.get(a.check) ?? 0) - (order.get(b.check) ?? 0),
  );
}

/** One section of the page. The buttons stay hidden until the script of the page shows them. */
function section(id: keyof typeof TITLES, content: Content): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title"><div class="section-head"><h2 id="${id}-title">${TITLES[id]}</h2>${
    (id === 'checks' || id === 'scenarios') &&
    html`<span class="fold" hidden><button type="button" data-open="${id}">Open all</button><button type="button" data-close="${id}">Close all</button></span>`
  }</div>${content}</section>`;
}

const WALK_HINT = html`<p class="lead">Each scenario shows its messages between the three lanes, the verdicts in the margin, and what the servers hold after each change. Each message has a HAR and a <code>curl</code> of itself. To walk through them message by message, start <code>npm run demo</code> and drop <a href="run.json">run.json</a>, which lies beside this file, on the page of the console.</p>`;

const choicesOf = ({ summary: { counts } }: Report) =>
  outcomesInOrder.map((outcome) => ({
    name: classOf(outcome),
    sign: outcomeSigns[outcome],
    label: outcomeWords[outcome],
    number: counts[outcome],
  }));

function navigation(): Markup {
  const links = ids.map((id) => html`<li><a href="#${id}">${TITLES[id]}</a></li>`);
  return html`<nav aria-label="Sections"><ul>${links}</ul></nav>`;
}

function requirementsLead({ requirements }: Report): string {
  const number = (is: ReportedRequirement['status']) =>
    requirements.filter(({ status }) => status === is).length;
  const { length } = requirements;
  return `${length - number('not judged')} of ${length} requirements were judged: ${number('met')} met, ${number('broken')} broken, ${number('warning')} with a warning, ${number('inconclusive')} inconclusive.`;
}

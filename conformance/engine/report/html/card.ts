/**
 * Builds the card of each check for the HTML report, and the list of causes that stands before all cards. A
 * card shows the requirements, what was found, who is to blame, what to do, and the messages.
 */
import { addressOf } from '#protocol/site.ts';
import { adviceOf, causeOf } from '../causes/causes.ts';
import { requirementsOf } from '../matrix.ts';
import type { Report, ReportedVerdict } from '../schema/schema.ts';
import { count, type FactName, factsOf, outcomeSigns, weightWords } from '../words.ts';
import { diagramOf } from './diagram.ts';
import { capital, html, type Markup } from './markup.ts';
import type { Scene } from './scenes.ts';
import { placeLinks, siteLink } from './site-links.ts';

/** The names of outcomes in the page. */
export const outcomeWords = {
  fail: 'failed',
  inconclusive: 'inconclusive',
  warning: 'warning',
  differs: 'differs from the reference',
  pass: 'passed',
  'not applicable': 'not applicable',
} as const;

/** The outcome as the name of a CSS class: without blanks. */
export const classOf = (outcome: string): string => outcome.replace(' ', '-');

/** `hasMessage` tells whether a message is in the page, so that an arrow can link to it. */
export type CardOptions = { report: Report; scenes: readonly Scene[]; hasMessage: (seq: number) => boolean };

/**
 * Builds the card of one check. A red card is open at first, unless the failure is known or another card
 * shows the cause.
 */
export function cardOf(verdict: ReportedVerdict, { report, scenes, hasMessage }: CardOptions): Markup {
  const { check, title, clause, outcome, known, flaky } = verdict;
  const isRed = outcome === 'fail' || outcome === 'inconclusive';
  const open = isRed && (known ?? flaky) === undefined && !causeOf(check, report.causes);
  const accepted = known === undefined ? flaky && 'known to be flaky' : 'known';
  const required = requirementsOf(verdict, report).map(
    ({ id, clause, text, basis, risk }) =>
      html`<li><q>${text}</q> ${placeLinks(clause)}, <a href="#requirement-${id}"><code>${id}</code></a>${basis !== undefined && html`<p class="small">It rests on: ${basis}</p>`}${risk !== undefined && html`<p class="small">Where it is broken, ${risk}.</p>`}</li>`,
  );
  return html`<details class="card ${classOf(outcome)}" id="check-${check}"${open && html` open`}><summary><h3><span class="sign ${classOf(outcome)}" aria-hidden="true">${outcomeSigns[outcome]}</span><span class="title">${title}</span></h3><span class="tags"><span class="tag ${classOf(outcome)}">${outcomeWords[outcome]}</span>${
    accepted !== undefined && html`<span class="tag known">${accepted}</span>`
  }<span class="tag">${weightWords(verdict)}</span><span class="clause">${clause}</span><code>${check}</code></span></summary><div class="inside"><ul class="requires">${required}</ul>${pageOfCheck(check)}${found(verdict, report)}${causeFact(check, report)}${scenes.map((scene) => sceneOf(scene, hasMessage))}</div></details>`;
}

/** The page of a check on the site. It stands inside the card: the head stays one stop of the keyboard. */
function pageOfCheck(check: string): Markup {
  return html`<p class="shown-by">More on this check: ${siteLink(addressOf.check(check), html`<code>${check}</code>`)}</p>`;
}

/** For each fact of a finding: its CSS classes, and its title. */
const FACTS: Readonly<Record<FactName, readonly [string, string]>> = {
  expected: ['expected', 'Expected'],
  actual: ['actual', 'Actual'],
  undecided: ['actual wide', 'Could not be judged'],
  blame: ['blame', 'To blame'],
  advice: ['advice', 'What to do'],
};

/** The finding, as text or as a list of facts. */
function found({ check, finding, known, flaky }: ReportedVerdict, report: Report): Markup {
  if (finding.outcome === 'pass')
    return html`<p class="shown-by">${finding.evidence.length > 0 ? 'Shown by what crossed the wire here:' : 'Nothing that crossed the wire speaks against it.'}</p>`;
  if (finding.outcome === 'not applicable')
    return html`<dl class="facts"><div class="fact wide"><dt>Does not apply</dt><dd>${finding.because}</dd></div></dl>`;
  const facts = factsOf(finding, adviceOf(check, report.causes)).map(([name, text]) => {
    const [kind, title] = FACTS[name];
    return html`<div class="fact ${kind}"><dt>${title}</dt><dd>${text}</dd></div>`;
  });
  const why =
    (known ?? flaky) !== undefined &&
    html`<div class="fact"><dt>${known === undefined ? 'Known to be flaky' : 'Known'}</dt><dd>${known ?? flaky}</dd></div>`;
  return html`<dl class="facts">${facts}${why}</dl>`;
}

/** A diagram of the messages that show the verdict. The script of the page puts their bodies below it. */
function sceneOf(
  { scenario, title, rows, evidence, left }: Scene,
  hasMessage: (seq: number) => boolean,
): Markup {
  const more = left > 0 && html`<p class="gap">${left} more of the kind, in run.json</p>`;
  return html`<figure class="scene"><figcaption>In <a href="#scenario-${scenario}">${title}</a></figcaption>${diagramOf({ rows, evidence, hasMessage })}${more}<div class="opened" hidden><h4>Messages</h4></div></figure>`;
}

/** What caused the failure of a check, or the checks that fail because of this one. */
function causeFact(check: string, { causes }: Report): Markup | false {
  const others = causes.find((cause) => cause.check === check)?.checks.filter((name) => name !== check) ?? [];
  if (others.length > 0)
    return html`<p class="cause">The cause of ${others.length === 1 ? 'one more' : `${others.length} more`}: ${links(others)}</p>`;
  const cause = causeOf(check, causes);
  if (!cause) return false;
  if (cause.check !== undefined)
    return html`<p class="cause">Caused by ${links([cause.check])}: ${cause.cause}</p>`;
  return html`<p class="cause">The same cause as ${links(cause.checks.filter((name) => name !== check))}</p>`;
}

/** Links to the cards of these checks. */
function links(checks: readonly string[]): Markup[] {
  return checks.map(
    (check, index) => html`${index > 0 && ', '}<a href="#check-${check}"><code>${check}</code></a>`,
  );
}

/**
 * The list of all causes, before the cards. Each has at most three lines: what is wrong, what to do, and
 * which checks show it.
 */
export function causesOf({ causes }: Report): Markup | false {
  if (causes.length === 0) return false;
  const checks = causes.reduce((sum, cause) => sum + cause.checks.length, 0);
  const title = `${count(causes.length, 'cause')} of ${checks} checks that ${checks === 1 ? 'is' : 'are'} not green`;
  const items = causes.map(({ cause, advice, checks: shown }) => {
    const toDo = advice !== undefined && html`<p class="to-do"><b>To do:</b> ${advice}</p>`;
    return html`<li><p class="what">${capital(cause)}</p>${toDo}${shownIn(shown)}</li>`;
  });
  return html`<div class="causes"><h3>${title}</h3><ol>${items}</ol></div>`;
}

/** The checks of a cause: the first one is visible, the others unfold. */
function shownIn(checks: readonly string[]): Markup {
  const [first = '', ...others] = checks;
  const lead = html`Shown by ${links([first])} (${siteLink(addressOf.check(first), 'its page')})`;
  if (others.length === 0) return html`<p class="of">${lead}</p>`;
  return html`<details class="of"><summary>${lead} and ${count(others.length, 'more check')}</summary>${links(others)}</details>`;
}

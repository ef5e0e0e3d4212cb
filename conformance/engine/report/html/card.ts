/**
 * Builds the card of each check for the HTML report, and the list of causes that stands before all cards. A
 * card shows the requirements, what was found, who is to blame, what to do, and the messages.
 */
import { adviceOf, causeOf } from '../causes/causes.ts';
import { requirementsOf } from '../matrix.ts';
import type { Report, ReportedVerdict } from '../schema/schema.ts';
import { count, type FactName, factsOf, outcomeSigns, weightWords } from '../words.ts';
import { capital, html, type Markup } from './markup.ts';
import { factTitles, plainOf } from './plain.ts';

export const outcomeWords = {
  fail: 'failed',
  inconclusive: 'inconclusive',
  warning: 'warning',
  pass: 'passed',
  'not applicable': 'not applicable',
} as const;

export const classOf = (outcome: string): string => outcome.replace(' ', '-');

/**
 * `playAlone` returns the command that plays a check alone. `open` are the checks whose cards are open at
 * first.
 */
export type CardOptions = {
  report: Report;
  playAlone?: ((check: string) => string) | undefined;
  open: ReadonlySet<string>;
};

/**
 * Builds the card of one check. It has what was found as plain text, in whose place the script of the page
 * puts {@link insideOf} when the card is opened.
 */
export function cardOf(verdict: ReportedVerdict, options: CardOptions): Markup {
  const { check, title, clause, outcome, known } = verdict;
  const { report, open, playAlone } = options;
  return html`<details class="card ${classOf(outcome)}" id="check-${check}" data-packed="check-${check}"${open.has(check) && html` open`}><summary><h3><span class="sign ${classOf(outcome)}" aria-hidden="true">${outcomeSigns[outcome]}</span><span class="title">${title}</span></h3><span class="tags"><span class="tag ${classOf(outcome)}">${outcomeWords[outcome]}</span>${
    known !== undefined && html`<span class="tag known">known</span>`
  }<span class="tag">${weightWords(verdict)}</span><span class="clause">${clause}</span><code>${check}</code></span></summary><div class="inside">${plainOf(verdict, report, playAlone?.(check))}</div></details>`;
}

/**
 * Returns what the card shows above its messages: the requirements, what was found and its cause, and how to
 * play the check again.
 */
export function insideOf(verdict: ReportedVerdict, options: CardOptions): Markup {
  const { check } = verdict;
  const { report } = options;
  const required = requirementsOf(verdict, report).map(
    ({ id, clause, text, basis, risk }) =>
      html`<li><q>${text}</q> ${clause}, <a href="#requirement-${id}"><code>${id}</code></a>${basis !== undefined && html`<p class="small">It rests on: ${basis}</p>`}${risk !== undefined && html`<p class="small">Where it is broken, ${risk}.</p>`}</li>`,
  );
  return html`<ul class="requires">${required}</ul>${found(verdict, report)}${causeFact(check, report)}${commandOf(check, options)}`;
}

function commandOf(check: string, { playAlone }: CardOptions): Markup | undefined {
  return (
    playAlone && html`<p class="more">Play it alone: <code class="command">${playAlone(check)}</code></p>`
  );
}

/** Limits the cards that are open at first: each makes the page longer and slower. */
const MAX_OPEN = 3;

/**
 * Returns the checks whose cards are open at first: those that show the first causes, without what is known
 * to fail.
 * @param verdicts in the order of the page
 */
export function openAtFirst(verdicts: readonly ReportedVerdict[], { causes }: Report): Set<string> {
  const isLead = (check: string) => {
    const cause = causes.find(({ checks }) => checks.includes(check));
    return cause === undefined || (cause.check ?? cause.checks[0]) === check;
  };
  const leads = verdicts.filter(
    ({ check, outcome, known }) =>
      (outcome === 'fail' || outcome === 'inconclusive') && known === undefined && isLead(check),
  );
  return new Set(leads.slice(0, MAX_OPEN).map(({ check }) => check));
}

const FACTS: Readonly<Record<FactName, string>> = {
  expected: 'expected',
  actual: 'actual',
  undecided: 'actual wide',
  blame: 'blame',
  advice: 'advice',
};

function found({ check, finding, known }: ReportedVerdict, report: Report): Markup {
  if (finding.outcome === 'pass')
    return html`<p class="shown-by">${finding.evidence.length > 0 ? 'Shown by what crossed the wire here:' : 'Nothing that crossed the wire speaks against it.'}</p>`;
  if (finding.outcome === 'not applicable')
    return html`<dl class="facts"><div class="fact wide"><dt>Does not apply</dt><dd>${finding.because}</dd></div></dl>`;
  const facts = factsOf(finding, adviceOf(check, report.causes)).map(
    ([name, text]) =>
      html`<div class="fact ${FACTS[name]}"><dt>${factTitles[name]}</dt><dd>${text}</dd></div>`,
  );
  const why = known !== undefined && html`<div class="fact"><dt>Known</dt><dd>${known}</dd></div>`;
  return html`<dl class="facts">${facts}${why}</dl>`;
}

/** More links than these unfold. */
const MAX_LINKS = 6;

function causeFact(check: string, { causes }: Report): Markup | false {
  const others = causes.find((cause) => cause.check === check)?.checks.filter((name) => name !== check) ?? [];
  if (others.length > 0)
    return folded(`The cause of ${others.length === 1 ? 'one more' : `${others.length} more`}`, others);
  const cause = causeOf(check, causes);
  if (!cause) return false;
  if (cause.check !== undefined)
    return html`<p class="cause">Caused by ${links([cause.check])}: ${cause.cause}</p>`;
  const alike = cause.checks.filter((name) => name !== check);
  return folded(`The same cause as ${count(alike.length, 'other')}`, alike);
}

/** A title and the links that belong to it. Many links unfold. */
function folded(title: string, checks: readonly string[]): Markup {
  if (checks.length <= MAX_LINKS) return html`<p class="cause">${title}: ${links(checks)}</p>`;
  return html`<details class="cause"><summary>${title}</summary>${links(checks)}</details>`;
}

function links(checks: readonly string[]): Markup[] {
  return checks.map(
    (check, index) => html`${index > 0 && ', '}<a class="check" href="#check-${check}">${check}</a>`,
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

function shownIn(checks: readonly string[]): Markup {
  const [first = '', ...others] = checks;
  const lead = html`Shown by ${links([first])}`;
  if (others.length === 0) return html`<p class="of">${lead}</p>`;
  return html`<details class="of"><summary>${lead} and ${count(others.length, 'more check')}</summary>${links(others)}</details>`;
}

/** The card of one check: requirement, observation, blame, advice and exchange. */
import { adviceOf, causeOf } from '../causes/causes.ts';
import { requirementsOf } from '../matrix.ts';
import type { Report, ReportedVerdict } from '../schema/schema.ts';
import { outcomeSigns } from '../words.ts';
import { causeFact } from './causes.ts';
import { diagramOf } from './diagram.ts';
import { html, type Markup } from './markup.ts';
import type { Scene } from './scenes.ts';

/** The names of outcomes in the page. */
export const outcomeWords = {
  fail: 'failed',
  inconclusive: 'inconclusive',
  warning: 'warning',
  pass: 'passed',
  'not applicable': 'not applicable',
} as const;

export type CardOptions = { report: Report; scenes: readonly Scene[]; hasMessage: (seq: number) => boolean };

export function cardOf(verdict: ReportedVerdict, { report, scenes, hasMessage }: CardOptions): Markup {
  const { check, title, level, clause, outcome, known, flaky } = verdict;
  const cause = causeOf(check, report.causes);
  const open =
    (outcome === 'fail' || outcome === 'inconclusive') &&
    (known ?? flaky) === undefined &&
    cause === undefined;
  return html`<details class="card ${classOf(outcome)}" id="check-${check}"${open && html` open`}><summary><h3><span class="sign ${classOf(outcome)}" aria-hidden="true">${outcomeSigns[outcome]}</span><span class="title">${title}</span></h3><span class="tags"><span class="tag ${classOf(outcome)}">${outcomeWords[outcome]}</span>${
    (known !== undefined && html`<span class="tag known">known</span>`) ||
    (flaky !== undefined && html`<span class="tag known">known to be flaky</span>`)
  }<span class="tag">${level}</span><span class="clause">${clause}</span><code>${check}</code></span></summary><div class="inside">${requirements(verdict, report)}${finding(verdict, adviceOf(check, report.causes))}${causeFact(verdict, report)}${scenes.map((scene) => sceneOf(scene, hasMessage))}</div></details>`;
}

/** The outcome as a class name. */
export function classOf(outcome: string): string {
  return outcome.replace(' ', '-');
}

function requirements(verdict: ReportedVerdict, report: Report): Markup {
  const rows = requirementsOf(verdict, report).map(
    ({ id, clause, text }) => html`<li><q>${text}</q> <a href="#requirement-${id}">${clause}</a></li>`,
  );
  return html`<ul class="requires">${rows}</ul>`;
}

/** @param advice what to do about the cause, if it is known */
function finding({ finding, known, flaky }: ReportedVerdict, advice: string | undefined): Markup {
  const why =
    (known ?? flaky) !== undefined &&
    html`<div class="fact"><dt>${known === undefined ? 'Known to be flaky' : 'Known'}</dt><dd>${known ?? flaky}</dd></div>`;
  switch (finding.outcome) {
    case 'fail':
      return html`<dl class="facts"><div class="fact expected"><dt>Expected</dt><dd>${finding.expected}</dd></div><div class="fact actual"><dt>Actual</dt><dd>${finding.actual}</dd></div><div class="fact blame"><dt>To blame</dt><dd>${finding.blame}</dd></div><div class="fact advice"><dt>What to do</dt><dd>${advice ?? finding.advice}</dd></div>${why}</dl>`;
    case 'inconclusive':
      return html`<dl class="facts"><div class="fact actual wide"><dt>Could not be judged</dt><dd>${finding.because}</dd></div><div class="fact blame"><dt>To blame</dt><dd>${finding.blame}</dd></div>${why}</dl>`;
    case 'not applicable':
      return html`<dl class="facts"><div class="fact wide"><dt>Does not apply</dt><dd>${finding.because}</dd></div></dl>`;
    case 'pass':
      return html`<p class="shown-by">${finding.evidence.length > 0 ? 'Shown by what crossed the wire here:' : 'Nothing that crossed the wire speaks against it.'}</p>`;
  }
}

function sceneOf(
  { scenario, title, rows, evidence, left }: Scene,
  hasMessage: (seq: number) => boolean,
): Markup {
  const more = left > 0 && html`<p class="gap">${left} more of the kind, in run.json</p>`;
  return html`<figure class="scene"><figcaption>In <a href="#scenario-${scenario}">${title}</a></figcaption>${diagramOf({ rows, evidence, hasMessage })}${more}<div class="opened" hidden><h4>Messages</h4></div></figure>`;
}

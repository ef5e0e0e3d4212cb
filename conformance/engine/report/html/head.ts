/**
 * Builds the top of the HTML report, with the conclusion on the run, and the section at its end, with the
 * circumstances of the run.
 */

import { parts } from '../../check/weight.ts';
import { straySentence } from '../scenarios.ts';
import type { Report } from '../schema/schema.ts';
import { count, duration, outcomesInOrder, partNames } from '../words.ts';
import { classOf, outcomeWords } from './card.ts';
import { capital, html, type Markup } from './markup.ts';

const TONES: Readonly<Record<Report['summary']['conclusion'], string>> = {
  conformant: 'pass',
  'not conformant': 'fail',
  'not safe': 'fail',
  inconclusive: 'inconclusive',
  'not set up': 'inconclusive',
  'broken off': 'inconclusive',
  'nothing judged': 'inconclusive',
  'known failures out of date': 'fail',
};

/** Builds the top of the page: the conclusion in one word, in a sentence and as a bar. */
export function headOf({ summary, meta, notSetUp = [], staleBaseline }: Report): Markup {
  const { conclusion, finished } = summary;
  // A tag says that the run was broken off, where the conclusion does not say it itself.
  const badge = !finished && conclusion !== 'broken off' && conclusion !== 'not set up';
  const ofParts = parts.map(
    (part) => html`<div><dt>${partNames[part]}</dt><dd>${summary.parts[part].headline}</dd></div>`,
  );
  const problems = notSetUp.map(
    ({ problem, remedy }) => html`<li><p><strong>${problem}</strong></p><p>${remedy}</p></li>`,
  );
  const stale = staleBaseline.map(({ check, because }) => html`<li><code>${check}</code> ${because}</li>`);
  const started = meta.startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  const facts = Object.entries({
    Started: started,
    Seed: meta.seed,
    'Made with': meta.tool,
    Node: meta.node,
  });
  return html`<header class="top"><p class="eyebrow">Conformance report</p><h1>${meta.target}</h1><p class="verdict ${TONES[conclusion]}"><span class="word">${capital(conclusion)}</span>${
    badge && html` <span class="tag fail">broken off</span>`
  }</p>${conclusion !== 'not set up' && html`<dl class="parts">${ofParts}</dl>`}<p class="sentence">${summary.sentence}</p>${proportions(summary.counts)}${
    problems.length > 0 && html`<ol class="set-up">${problems}</ol>`
  }${
    stale.length > 0 && html`<div class="stale"><h2>The list of known failures</h2><ul>${stale}</ul></div>`
  }<dl class="meta">${listOf(facts)}</dl></header>`;
}

const listOf = (facts: readonly [string, string | number][]): Markup[] =>
  facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);

/** A bar with a part for each outcome, as wide as its share of the checks. Nothing without checks. */
function proportions(counts: Report['summary']['counts']): Markup | false {
  const shown = outcomesInOrder.filter((outcome) => counts[outcome] > 0);
  const total = shown.reduce((sum, outcome) => sum + counts[outcome], 0);
  if (total === 0) return false;
  let x = 0;
  const bars = shown.map((outcome) => {
    const width = (100 * counts[outcome]) / total;
    const bar = html`<rect class="${classOf(outcome)}" x="${x.toFixed(2)}%" width="${width.toFixed(2)}%" height="10"/>`;
    x += width;
    return bar;
  });
  const said = shown.map((outcome) => `${counts[outcome]} ${outcomeWords[outcome]}`).join(', ');
  return html`<svg class="proportions" width="100%" height="10" role="img" aria-label="Of ${total} checks: ${said}">${bars}</svg>`;
}

const gateWords = {
  interface: 'what breaks the interface',
  safety: 'what breaks the interface, and essential weaknesses',
} as const;

export function aboutOf(report: Report): Markup {
  const { meta, summary, scenarios } = report;
  const { absentSteps, canAdvanceClock, otpLifetimeSeconds } = meta.abilities;
  // The scenario with an empty name has the entries between the scenarios.
  const played = scenarios.filter(({ scenario }) => scenario !== '').length;
  const facts: [string, string][] = [
    ['Server under test', meta.target],
    ['Started', meta.startedAt],
    ['Played', `${count(played, 'scenario')} in ${duration(summary.took ?? 0)}`],
    ['Mode', meta.mode === 'watch' ? 'a watched session' : 'scenarios'],
    ['Seed', String(meta.seed)],
    ['Made with', meta.tool],
    ['Node', meta.node],
    ['Restricted to', summary.only ?? 'nothing: every check was asked'],
    ['Fails by', gateWords[summary.demands.gate]],
    ['Strict', summary.demands.strict ? 'yes: recommendations count' : 'no: recommendations do not count'],
    ['The kit itself stood still for', `${duration(meta.longestSilenceMs)} at most`],
    ['Requests of strangers', straySentence(report) ?? 'none'],
    ['Run to its end', summary.finished ? 'yes' : 'no, it was broken off'],
    ['Steps the server does not have', absentSteps.join(', ') || 'none'],
    ['Its clock can be moved', canAdvanceClock ? 'yes' : 'no'],
    ['Lifetime of a code', otpLifetimeSeconds === undefined ? 'not stated' : `${otpLifetimeSeconds} s`],
  ];
  return html`<dl class="about">${listOf(facts)}</dl><h3>Configuration</h3><pre class="configuration">${JSON.stringify(meta.configuration, null, 2)}</pre>`;
}

/** The top of the page: the verdict in one word, in one sentence and as proportions. */
import type { Report } from '../schema/schema.ts';
import { outcomesInOrder } from '../words.ts';
import { classOf, outcomeWords } from './card.ts';
import { html, type Markup } from './markup.ts';

const words: Readonly<Record<Report['summary']['conclusion'], { word: string; tone: string }>> = {
  conformant: { word: 'Conformant', tone: 'pass' },
  'not conformant': { word: 'Not conformant', tone: 'fail' },
  inconclusive: { word: 'Inconclusive', tone: 'inconclusive' },
  'not set up': { word: 'Not set up', tone: 'inconclusive' },
  'broken off': { word: 'Broken off', tone: 'inconclusive' },
  'nothing judged': { word: 'Nothing judged', tone: 'inconclusive' },
  'known failures out of date': { word: 'Known failures out of date', tone: 'fail' },
};

export function headOf({ summary, meta, notSetUp = [], staleBaseline }: Report): Markup {
  const { word, tone } = words[summary.conclusion];
  const badge =
    !summary.finished && summary.conclusion !== 'broken off' && summary.conclusion !== 'not set up';
  return html`<header class="top"><p class="eyebrow">Conformance report</p><h1>${meta.target}</h1><p class="verdict ${tone}"><span class="word">${word}</span>${
    badge && html` <span class="tag fail">broken off</span>`
  }</p><p class="much">${extentOf(summary)}</p><p class="sentence">${summary.sentence}</p>${proportions(summary.counts)}${
    notSetUp.length > 0 &&
    html`<ol class="set-up">${notSetUp.map(({ problem, remedy }) => html`<li><p><strong>${problem}</strong></p><p>${remedy}</p></li>`)}</ol>`
  }${
    staleBaseline.length > 0 &&
    html`<div class="stale"><h2>The list of known failures</h2><ul>${staleBaseline.map(({ check, because }) => html`<li><code>${check}</code> ${because}</li>`)}</ul></div>`
  }<dl class="meta"><div><dt>Started</dt><dd>${meta.startedAt
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC')
    .replace(
      /Z$/,
      ' UTC',
    )}</dd></div><div><dt>Seed</dt><dd>${meta.seed}</dd></div><div><dt>Made with</dt><dd>${meta.tool}</dd></div><div><dt>Node</dt><dd>${meta.node}</dd></div></dl></header>`;
}

/** The headline beside the word: how much was judged. */
function extentOf({ headline }: Report['summary']): string {
  const much = /\((?<much>.*)\)$/.exec(headline)?.groups?.much ?? '';
  return much.charAt(0).toUpperCase() + much.slice(1);
}

function proportions(counts: Report['summary']['counts']): Markup | false {
  const total = outcomesInOrder.reduce((sum, outcome) => sum + counts[outcome], 0);
  if (total === 0) return false;
  let x = 0;
  const bars = outcomesInOrder.flatMap((outcome) => {
    if (counts[outcome] === 0) return [];
    const width = (100 * counts[outcome]) / total;
    const bar = html`<rect class="${classOf(outcome)}" x="${x.toFixed(2)}%" width="${width.toFixed(2)}%" height="10"/>`;
    x += width;
    return [bar];
  });
  const said = outcomesInOrder
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${counts[outcome]} ${outcomeWords[outcome]}`);
  return html`<svg class="proportions" width="100%" height="10" role="img" aria-label="Of ${total} checks: ${said.join(', ')}">${bars}</svg>`;
}

/** The matrix as one HTML file that opens offline. */
import { html, type Markup } from '#conformance/engine/report/html/markup.ts';
import { pageOf } from '#conformance/engine/report/html/page.ts';
import { styles as kitStyles } from '#conformance/engine/report/html/styles/all.ts';
import { type Cell, isGreen } from './play.ts';
import { NOT_PLAYED, playedFlows, reasonsOf, tableOf, troublesOf } from './report.ts';

const styles = `${kitStyles}
.matrix { overflow-x: auto; }
.matrix table { border-collapse: collapse; }
.matrix th, .matrix td { border: 1px solid var(--line); padding: 0.5rem 0.8rem; text-align: left; vertical-align: top; }
.matrix td.fail { color: var(--fail); font-weight: 600; }
.matrix td.pass { color: var(--pass); }
`;

export function matrixPage(cells: readonly Cell[]): string {
  const { head, rows } = tableOf(cells);
  const green = cells.filter(isGreen).length;
  const sentence = `${green} of ${cells.length} combinations play every flow that they can play.`;
  const outcome = green === cells.length ? 'pass' : 'fail';
  const word = green === cells.length ? 'All work with each other' : `${cells.length - green} do not work`;
  const top = html`<header class="top"><p class="eyebrow">Interoperability</p><h1>Who works with whom</h1><p class="verdict ${outcome}"><span class="word">${word}</span></p><p class="sentence">${sentence} Each cell is a run of the flows below with three parties.</p></header>`;
  const table = html`<div class="matrix"><table><thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>${rows.map(rowOf)}</tbody></table></div>`;
  const troubles = troublesOf(cells).map(({ title, lines }) => html`<h3>${title}</h3>${listOf(lines)}`);
  const reasons = reasonsOf(cells);
  const body = html`<div class="page">${top}<main>${table}${troubles.length > 0 && html`<h2>Behind the red cells</h2>${troubles}`}${reasons.length > 0 && html`<h2>Left out</h2>${listOf(reasons)}`}<h2>The flows</h2>${listOf(playedFlows(cells))}</main></div>`;
  return pageOf({ title: `Who works with whom: ${sentence}`, styles, body });
}

function rowOf([client = '', auth = '', ...cells]: readonly string[]): Markup {
  const shown = cells.map((text) => {
    const outcome = text.startsWith('✓') ? 'pass' : 'fail';
    return html`<td class="${text === NOT_PLAYED ? 'none' : outcome}">${text}</td>`;
  });
  return html`<tr><th scope="row">${client}</th><th scope="row">${auth}</th>${shown}</tr>`;
}

function listOf(lines: readonly string[]): Markup {
  return html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}

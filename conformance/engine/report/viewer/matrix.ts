/** Shows which parties of different makes work with each other. */
import { el, listOf } from './elements.ts';
import { headOf } from './frame.ts';
import type { ShownMatrix } from './shown.ts';

export function matrixPage({ verdict, isGreen, sentence, head, rows, lists }: ShownMatrix): void {
  const about = { eyebrow: 'Interoperability', title: 'Who works with whom', word: verdict };
  const top = headOf({ ...about, tone: isGreen ? 'pass' : 'fail' }, el('p.sentence', sentence));
  const heads = head.map((name) => el('th', { scope: 'col' }, name));
  const table = el('table', el('thead', el('tr', heads)), el('tbody', rows.map(row)));
  const named = lists.map(({ title, lines }) => el('section', el('h2', title), listOf('ul', lines)));
  document.body.replaceChildren(el('div.page', top, el('main', el('div.matrix', table), named)));
}

/** A client and an authorization server, and how they work with each EHR server. */
function row([client = '', auth = '', ...cells]: readonly string[]): HTMLElement {
  const parties = [client, auth].map((name) => el('th', { scope: 'row' }, name));
  const toneOf = (text: string) => (/^✗/.test(text) ? 'fail' : /^✓/.test(text) ? 'pass' : 'none');
  const shown = cells.map((text) => el(`td.${toneOf(text)}`, text));
  return el('tr', parties, shown);
}

/** Lets a reader find something: a search by words, and the choice of an outcome. */
import type { Outcome } from '../../check/verdict.ts';
import { count } from '../words.ts';
import { type Content, el, outcomeWords, sign } from './elements.ts';

/** What a search finds by its `text`, asked once and then `known`; counted by `kind`, hidden by `outcome`. */
type Item = { element: HTMLElement; kind?: string; outcome?: Outcome; text: () => string; known?: string };

/** The page is made once, so what can be found in it stands in one list. */
const items: Item[] = [];

export function findable(item: Item): HTMLElement {
  items.push(item);
  item.element.classList.add('item');
  return item.element;
}

/** All texts in a value, one after another. */
export function textsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(textsIn).join(' ');
}

const field = el('input', {
  type: 'search',
  id: 'search',
  autocomplete: 'off',
  spellcheck: 'false',
  placeholder: 'names, words, §',
}) as HTMLInputElement;
const found = el('p.found', { role: 'status' });

/** Makes the search and the choice of an outcome, with the number of each. */
export function findBar(counts: readonly (readonly [Outcome, number])[]): HTMLElement {
  const total = counts.reduce((sum, [, number]) => sum + number, 0);
  const others = counts.map(([outcome, number]) =>
    choice(outcome, [sign(outcome), el('span', outcomeWords[outcome])], number),
  );
  const choices = el(
    'fieldset.filter',
    el('legend', 'Show'),
    choice('all', el('span', 'all'), total),
    others,
  );
  const label = el('label', { for: 'search' }, 'Search');
  const bar = el('div.find', { role: 'search', 'aria-label': 'Filter' }, label, field, found, choices);
  bar.addEventListener('input', show);
  // Beforehand, because the first search must not wait for all texts.
  field.addEventListener('focus', () => items.forEach(textOf));
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    field.focus();
  });
  return bar;
}

function choice(value: Outcome | 'all', label: Content, number: number): HTMLElement {
  const button = el('input', { type: 'radio', name: 'show', value }) as HTMLInputElement;
  button.checked = value === 'all';
  return el('label.choice', button, label, el('span.number', number));
}

/** Shows everything again. */
export function showAll(): void {
  field.value = '';
  const all = document.querySelector<HTMLInputElement>('.choice input');
  if (all) all.checked = true;
  show();
}

/** Shows what has all words of the search and the chosen outcome, and says how much that is. */
function show(): void {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = document.querySelector<HTMLInputElement>('.choice :checked')?.value ?? 'all';
  const counts = new Map<string, number>();
  for (const item of items) {
    const { element, kind, outcome } = item;
    const isChosen = chosen === 'all' || outcome === undefined || outcome === chosen;
    element.hidden = !isChosen || !words.every((word) => textOf(item).includes(word));
    if (kind !== undefined && !element.hidden) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  for (const group of document.querySelectorAll<HTMLElement>('.items')) {
    group.hidden = !group.querySelector('.item:not([hidden])');
  }
  const said = [...counts].map(([kind, number]) => count(number, kind)).join(', ');
  found.textContent = words.length === 0 ? '' : said || 'Nothing found.';
}

function textOf(item: Item): string {
  item.known ??= item.text().toLowerCase();
  return item.known;
}

/** Elements that are hidden as one where none of them is found, and then a remark stands in their place. */
export function groupOf(content: Content): Content {
  return [el('div.items', content), el('p.lead.none', 'None of this kind.')];
}

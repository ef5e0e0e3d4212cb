/** Makes the elements of the page. A value becomes a text or the value of an attribute, never markup. */
import type { Outcome } from '../../check/verdict.ts';
import { harmless } from '../../harmless.ts';
import { outcomeSigns } from '../words.ts';

type Attributes = { readonly [name: string]: string | number };
/** What stands in an element. `false` and `undefined` become nothing, a list becomes its items. */
export type Content = Node | string | number | false | undefined | readonly Content[];

/** Makes an element of a tag with classes, such as `p.lead`, with texts, elements and attributes inside. */
export function el(kind: string, ...inside: readonly (Content | Attributes)[]): HTMLElement {
  const [tag = '', ...classes] = kind.split('.');
  const made = document.createElement(tag);
  made.className = classes.join(' ');
  for (const one of inside) put(made, one);
  return made;
}

function put(element: HTMLElement, one: Content | Attributes): void {
  if (one === undefined || one === false) return;
  if (one instanceof Node) element.append(one);
  else if (typeof one !== 'object') element.append(harmless(String(one)));
  else if (isList(one)) for (const each of one) put(element, each);
  else for (const [name, value] of Object.entries(one)) element.setAttribute(name, harmless(String(value)));
}

const isList = (one: readonly Content[] | Attributes): one is readonly Content[] => Array.isArray(one);

/** What makes the inside of an element that was never opened. */
const unfilled = new WeakMap<Element, () => Content>();

/** Makes a `details` element. `inside` is made when it is opened for the first time. */
export function fold(kind: string, summary: readonly Content[], inside: () => Content): HTMLDetailsElement {
  const made = el(`details.${kind}`, el('summary', summary)) as HTMLDetailsElement;
  unfilled.set(made, inside);
  return made;
}

export function open(details: HTMLDetailsElement): void {
  fill(details);
  details.open = true;
}

/** Makes the inside of a `details` element that was made by {@link fold}. */
export function fill(details: Element): void {
  const inside = unfilled.get(details);
  unfilled.delete(details);
  if (inside) details.append(el('div.inside', inside()));
}

export function listOf(kind: string, items: readonly Content[]): HTMLElement {
  const made = items.map((item) => el('li', item));
  return el(kind, made);
}

/** A list of facts, each with its name. */
export function termsOf(kind: string, facts: readonly (readonly [string, Content])[]): HTMLElement {
  const made = facts.map(([name, value]) => el('div', el('dt', name), el('dd', value)));
  return el(kind, made);
}

export const outcomeWords: Readonly<Record<Outcome, string>> = {
  fail: 'failed',
  inconclusive: 'inconclusive',
  warning: 'warning',
  pass: 'passed',
  'not applicable': 'not applicable',
};

export const classOf = (outcome: string): string => outcome.replace(' ', '-');

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The words beside it say the same, so a screen reader skips it. */
export function sign(outcome: Outcome): HTMLElement {
  return el(`span.sign.${classOf(outcome)}`, { 'aria-hidden': 'true' }, outcomeSigns[outcome]);
}

export function tag(text: Content, outcome?: Outcome): HTMLElement {
  return el(outcome === undefined ? 'span.tag' : `span.tag.${classOf(outcome)}`, text);
}

/** Puts a page together: its head, what stands beside its sections, and its sections. */
import type { Outcome } from '../../check/verdict.ts';
import { type Content, classOf, el, fold, listOf, open, sign } from './elements.ts';
import { findable, findBar } from './find.ts';

export type Frame = {
  head: HTMLElement;
  /** How many things have each outcome. */
  counts: readonly (readonly [Outcome, number])[];
  /** The name of the navigation, and its links: address without `#`, and text. */
  links: { name: string; to: readonly (readonly [id: string, text: string])[] };
  sections: Content;
};

export type Head = {
  eyebrow: string;
  title: string;
  tone: 'pass' | 'fail' | 'inconclusive';
  word: string;
  badge?: Content;
};

export function frameOf({ head, counts, links, sections }: Frame): HTMLElement[] {
  const items = links.to.map(([id, text]) => el('a', { href: `#${id}` }, text));
  const nav = el('nav', { 'aria-label': links.name }, listOf('ul', items));
  const side = el('div.side-bar', findBar(counts), nav);
  return [
    el('a.skip', { href: '#checks' }, 'To the results'),
    el('div.page', head, el('div.columns', side, el('main', sections))),
  ];
}

/** The top of a page: the conclusion in one word, and what belongs to it. */
export function headOf({ eyebrow, title, tone, word, badge }: Head, ...more: Content[]): HTMLElement {
  const verdict = el(`p.verdict.${tone}`, el('span.word', word), badge);
  return el('header.top', el('p.eyebrow', eyebrow), el('h1', title), verdict, more);
}

type Card = {
  /** What it shows, as a word for counts and for its address. */
  kind: 'check' | 'scenario' | 'flow';
  name: string | number;
  outcome: Outcome;
  title: string;
  tags: Content;
  /** What is made when it is opened. */
  inside: () => Content;
  /** What a search reads. */
  text: () => string;
};

/** Something that is told in a line, and in full when it is opened. */
export function cardOf({ kind, name, outcome, title, tags, inside, text }: Card): HTMLDetailsElement {
  const summary = [el('h3', sign(outcome), el('span', title)), el('span.tags', tags)];
  const element = fold(`card.${kind}-card.${classOf(outcome)}`, summary, inside);
  element.id = `${kind}-${name}`;
  findable({ element, kind, outcome, text });
  return element;
}

/** A section with a title. One that has cards gets buttons that open and close all of them. */
export function sectionOf(
  id: string,
  title: string,
  content: Content,
  { hasCards = false } = {},
): HTMLElement {
  const made = el('section', { id, 'aria-labelledby': `${id}-title` });
  const button = (text: string, act: (card: HTMLDetailsElement) => void) => {
    const own = el('button', { type: 'button' }, text);
    own.addEventListener('click', () => {
      for (const card of made.querySelectorAll<HTMLDetailsElement>('details.card')) act(card);
    });
    return own;
  };
  const buttons =
    hasCards &&
    el(
      'span.fold',
      button('Open all', open),
      button('Close all', (card) => card.removeAttribute('open')),
    );
  made.append(
    el('div.section-head', el('h2', { id: `${id}-title` }, title), buttons),
    el('div.content', content),
  );
  return made;
}

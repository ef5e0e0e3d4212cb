/** Shows outcomes: as a round sign, and as a short word. */
import type { Outcome } from '../../check/verdict.ts';
import { outcomeSigns } from '../words.ts';
import { type Content, el } from './elements.ts';

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

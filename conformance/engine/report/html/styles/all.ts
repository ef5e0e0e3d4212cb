/**
 * The whole style sheet of the HTML report, and its last two parts: the table of requirements, and the page
 * on paper.
 */
import { baseStyles } from './base.ts';
import { cardStyles } from './cards.ts';
import { diagramStyles } from './diagram.ts';

/**
 * The requirements: a table on wide screens, a list on narrow ones. Classes: `because` is why a requirement
 * was not judged, `unasked` a check that did not run, `none` stands where no check exists.
 */
const tableStyles = `
.requirements { width: 100%; border-collapse: collapse; font-size: 0.93rem; }
.requirements th { padding: 0.4rem 0.9rem 0.4rem 0; border-bottom: 1px solid var(--line-strong); color: var(--ink-soft); font-weight: 400; text-align: left; }
.requirements td { padding: 0.6rem 0.9rem 0.6rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
.requirements .row { scroll-margin-top: 1rem; }
.requirements .row:target { background: var(--mark); }
.requirements :is(th, td):first-child { padding-left: 0.5rem; }
.requirements td.clause { width: 8.5rem; color: var(--ink-soft); }
.requirements td:nth-child(3) { width: 15rem; }
.requirements td:nth-child(4) { width: 15rem; padding-right: 0; }
.requirements .small { color: var(--ink-soft); font-size: 0.84rem; }
.requirements .small a { font-family: var(--mono); }
.requirements .because { margin-top: 0.25rem; color: var(--ink-soft); font-size: 0.88rem; }
.requirements td:nth-child(4) > * { display: block; font-size: 0.88rem; }
.requirements td:nth-child(4) .sign { font-size: 0.7em; }
.none, .unasked { color: var(--ink-soft); font-size: 0.88rem; }
@media (max-width: 52rem) {
  .requirements, .requirements tbody { display: block; }
  .requirements thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .requirements tr { display: grid; gap: 0.35rem; padding: 0.85rem 0.5rem; border-bottom: 1px solid var(--line); }
  .requirements td, .requirements td.clause, .requirements td:nth-child(n) { width: auto; padding: 0; border: 0; }
  .requirements td.clause { font-size: 0.88rem; }
  .requirements .none { display: none; }
}
`;

/** On paper: no buttons, light colours, and no page break inside a row or a step. */
const printStyles = `
@media print {
  :root { color-scheme: light; --paper: #fff; --sunken: #f7f7f5; }
  html { font-size: 80%; }
  .side-bar, .fold, .again, .skip { display: none !important; }
  .columns { display: block; }
  main { display: block; }
  section { margin-bottom: 2rem; }
  .page { padding: 0; max-width: none; }
  .heads { position: static; }
  .causes .what, .causes .to-do { -webkit-line-clamp: none; }
  .card, .message { break-inside: auto; }
  .card > summary, .fact, .group, .row, .band { break-inside: avoid; }
  .card > summary { break-after: avoid; }
  .message, .life { print-color-adjust: exact; }
}
`;

/** All parts in the order in which they apply: a later rule wins. */
export const styles = [baseStyles, cardStyles, diagramStyles, tableStyles, printStyles].join('\n');

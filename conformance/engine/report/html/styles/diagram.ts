/** The third part of the style sheet of the HTML report: the sequence diagrams. */
import { rulesFor, rulesForTones } from './base.ts';

/**
 * Classes: `defs` has the shared arrowheads. `heads` are the names of the lanes, `lane` one of them, and
 * `life` its vertical line. `band` is a step, `call` and `reply` are arrows, `cross` the end of a reply that
 * was lost, `label` the text on an arrow. `hit` is the area of a message that can be clicked, `flag` and
 * `marked` highlight what a verdict names, `margin` is a verdict at the right edge. `gap` stands for
 * messages that are not shown.
 */
export const diagramStyles = `
.defs { position: absolute; }
.sequence { padding: 0.6rem 0.4rem 0.5rem; border-radius: var(--radius-small); background: var(--sunken); }
.sequence svg { display: block; overflow: visible; }
.heads { position: sticky; top: 0; z-index: 1; background: var(--sunken); }
.lane { font: 600 12px / 1 var(--text); text-anchor: middle; }
${rulesFor((lane) => `.lane.${lane} { fill: var(--${lane}); }`, ['client', 'auth', 'ehr', 'sms'])}
.life { stroke: var(--line-strong); stroke-width: 1; stroke-dasharray: 1 3; }
.band { display: flex; flex-wrap: wrap; gap: 0 0.7em; align-items: baseline; margin: 0.15rem 0; padding: 0.22rem 0.7rem; border-radius: 7px; background: var(--card); border: 1px solid var(--line); font-size: 0.86rem; overflow-wrap: anywhere; }
.band .user { color: var(--client); font-weight: 600; }
.band .result { margin-left: auto; }
.band .result.good { font-weight: 400; color: var(--ink-soft); }
.band .defect { flex-basis: 100%; color: var(--ink-soft); }
.band.marked { box-shadow: inset 4px 0 0 var(--mark-line); }
.call { stroke: var(--ink); stroke-width: 1.4; }
.reply { stroke-width: 1.2; stroke-dasharray: 5 3; }
${rulesForTones((tone, colour) => `.reply.${tone} { stroke: var(--${colour}); }`)}
.cross { stroke: var(--fail); stroke-width: 2; fill: none; }
.head.call path { fill: var(--ink); stroke: none; }
${rulesForTones((tone, colour) => `.head.${tone} path { fill: var(--${colour}); }`)}
.label, .sequence .fault { font: 11.5px / 1 var(--text); fill: var(--ink); stroke: var(--sunken); stroke-width: 4px; paint-order: stroke; stroke-linejoin: round; }
.label .number { fill: var(--ink-soft); font-size: 10.5px; }
${rulesForTones((tone, colour) => `.label.${tone} { fill: var(--${colour}); }`)}
.sequence .fault { fill: var(--fail); }
.hit { fill: transparent; }
.message-arrow.marked .hit { fill: var(--mark); }
.flag { fill: var(--mark-line); }
.message-arrow.marked :is(.label, .fault) { stroke: var(--mark-ground); }
a.message-arrow { cursor: pointer; text-decoration: none; }
a.message-arrow:hover .hit { fill: var(--accent-soft); }
a.message-arrow:hover :is(.label, .fault) { stroke: var(--accent-soft); }
a.message-arrow:focus-visible { outline: none; }
a.message-arrow:focus-visible .hit { stroke: var(--focus); stroke-width: 3; }
.margin text { font: 600 11.5px / 1 var(--text); text-anchor: end; stroke: var(--sunken); stroke-width: 4px; paint-order: stroke; stroke-linejoin: round; }
${rulesFor((name) => `.margin.${name} text { fill: var(--${name}); }`)}
.margin:hover text { text-decoration: underline; }
.margin:focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
@media (max-width: 40rem) {
  .margin .clause { display: none; }
}
.gap, .remark { margin: 0.3rem 0; color: var(--ink-soft); font-size: 0.86rem; text-align: center; overflow-wrap: anywhere; }
.gap::before, .gap::after { content: ' ··· '; }
`;

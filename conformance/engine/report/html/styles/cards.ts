/**
 * The second part of the style sheet of the HTML report: the cards of checks and scenarios, the list of
 * causes, and the messages.
 */
import { rulesFor, rulesForTones } from './base.ts';

/**
 * Classes: `sign` is the round sign of an outcome, `tag` a short word on a card, `inside` the content of an
 * open card. `requires` lists requirements, `facts` what was found; `more` has the `command` that plays the
 * check alone. `plain` is all of that as text. In `causes`, `what` is what is wrong and `of` the checks
 * that show it. `scene` is a diagram in a card. A
 * `message` has two `sides`, the request and the response; each `side` has its first line (`start`),
 * `headers` and `body`. `trace` has the trace id, which a click selects. `again` has the `curl` command and
 * the button that saves a HAR.
 */
export const cardStyles = `
.sign { display: inline-grid; place-items: center; flex: none; width: 1.45em; height: 1.45em; border-radius: 50%; font: 700 0.82em / 1 var(--text); }
${rulesFor((name) => `:is(.sign, .tag).${name} { color: var(--${name}); background: var(--${name}-soft); }`)}
.tag { display: inline-block; padding: 0.08em 0.6em; border-radius: 999px; background: var(--not-applicable-soft); color: var(--ink-soft); font-size: 0.82rem; font-weight: 600; white-space: nowrap; }

.card { border: 1px solid var(--line); border-radius: var(--radius); background: var(--card); margin-bottom: 0.6rem; scroll-margin-top: 1rem; }
.card.fail[open] { border-color: var(--fail); }
.card.inconclusive[open] { border-color: var(--inconclusive); }
.card > summary { display: grid; gap: 0.35rem; padding: 0.85rem clamp(0.9rem, 2.2vw, 1.4rem); border-radius: var(--radius); cursor: pointer; list-style: none; }
.card > summary::-webkit-details-marker { display: none; }
.card > summary:hover .title { text-decoration: underline; text-decoration-color: var(--line-strong); text-underline-offset: 0.2em; }
.card > summary, .message > summary { position: relative; }
.card > summary { padding-right: 2.75rem; }
:is(.card, .message) > summary::after { content: ''; position: absolute; width: 0.5rem; height: 0.5rem; border: solid var(--line-strong); border-width: 0 2px 2px 0; rotate: 45deg; }
.card > summary::after { right: 1.35rem; top: 1.15rem; }
.message > summary::after { left: 0.8rem; top: 0.9rem; width: 0.42rem; height: 0.42rem; rotate: -45deg; }
.card[open] > summary::after { rotate: 225deg; top: 1.4rem; }
.message[open] > summary::after { rotate: 45deg; top: 0.82rem; }
.card h3 { display: flex; gap: 0.6rem; align-items: flex-start; font: 600 1.02rem / 1.45 var(--text); }
.card h3 .title { overflow-wrap: anywhere; }
.card h3 .sign { margin-top: 0.06em; }
.tags { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.7rem; color: var(--ink-soft); font-size: 0.86rem; }
.tags code { overflow-wrap: anywhere; }
.card .tags { padding-left: 1.85rem; }
.card > .inside { padding: 0.2rem clamp(0.9rem, 2.2vw, 1.4rem) 1.3rem; display: grid; gap: 1.1rem; grid-template-columns: minmax(0, 1fr); }
.requires { display: grid; gap: 0.3rem; padding-left: 0.9rem; border-left: 3px solid var(--line); color: var(--ink-soft); max-width: 80ch; }
.requires code { overflow-wrap: anywhere; }
.facts { display: grid; gap: 0.7rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); }
.fact { padding: 0.7rem 0.95rem; border-radius: var(--radius-small); background: var(--sunken); }
.fact.wide { grid-column: 1 / -1; }
.fact dt { color: var(--ink-soft); font-size: 0.86rem; }
.fact dd { overflow-wrap: anywhere; white-space: pre-line; }
.fact.actual { background: var(--fail-soft); }
.warning .fact.actual { background: var(--warning-soft); }
.inconclusive .fact.actual { background: var(--inconclusive-soft); }
.fact.expected { background: var(--pass-soft); }
.fact.blame, .fact.advice { padding-block: 0; background: none; }
.causes { border: 1px solid var(--line); border-radius: var(--radius); background: var(--card); padding: 0.85rem clamp(0.9rem, 2.2vw, 1.4rem); margin-bottom: 1.1rem; }
.causes h3 { font: 600 1.02rem / 1.45 var(--text); }
.causes ol { display: grid; gap: 0.6rem; margin-top: 0.5rem; padding-left: 1.4em; list-style: decimal; }
.causes p, .cause { overflow-wrap: anywhere; }
.causes .what { font-weight: 600; }
.causes .what, .causes .to-do { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
@media (max-width: 40rem) { .causes .what, .causes .to-do { -webkit-line-clamp: 4; } }
.causes li:hover .what, .causes li:hover .to-do, .causes li:focus-within .what, .causes li:focus-within .to-do { -webkit-line-clamp: none; }
.causes .of { font-size: 0.9rem; }
summary { cursor: pointer; }
.causes .of a, .cause a { display: inline-block; max-width: 100%; }
.check { font-family: var(--mono); font-size: 0.94em; }
.more { color: var(--ink-soft); font-size: 0.9rem; }
.command { display: block; margin-top: 0.3rem; padding: 0.5rem 0.8rem; border-radius: var(--radius-small); background: var(--sunken); color: var(--ink); user-select: all; overflow-wrap: anywhere; }
.plain { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
.shown-by, .stopped { color: var(--ink-soft); }
.stopped { overflow-wrap: anywhere; }
.scene > summary { cursor: pointer; color: var(--ink-soft); font-size: 0.92rem; overflow-wrap: anywhere; }
.scene > .inside { padding: 0.4rem 0 0; }
h4 { font: 600 1rem / 1.4 var(--text); }

.message { border: 1px solid var(--line); border-radius: var(--radius-small); background: var(--card); scroll-margin-top: 1rem; }
.message + .message { margin-top: 0.35rem; }
.message > summary { display: flex; flex-wrap: wrap; gap: 0.1rem 0.7rem; align-items: baseline; padding: 0.45rem 0.8rem 0.45rem 1.9rem; border-radius: var(--radius-small); cursor: pointer; font-size: 0.9rem; list-style: none; }
.message > summary::-webkit-details-marker { display: none; }
.message > summary:hover { background: var(--sunken); }
.message summary .number { min-width: 1.8em; color: var(--ink-soft); font-variant-numeric: tabular-nums; }
.message summary code { overflow-wrap: anywhere; font-weight: 600; }
.message .took { margin-left: auto; color: var(--ink-soft); font-size: 0.86rem; }
.result { font-weight: 600; }
${rulesForTones((tone, colour) => `.result.${tone} { color: var(--${colour}); }`)}
.fault { color: var(--fail); }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0.5rem 1.5rem; padding: 0.3rem 0.9rem 0.9rem; }
.side { min-width: 0; }
.side .name { color: var(--ink-soft); font: 400 0.86rem / 1.6 var(--text); }
.start { font: 600 0.84rem / 1.5 var(--mono); overflow-wrap: anywhere; }
:is(.side, .again) pre { white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.5; }
.side .headers { color: var(--ink-soft); margin: 0.2rem 0 0.6rem; }
.side .headers b { font-weight: 600; color: var(--ink); }
:is(.side .body, .again pre) { padding: 0.65rem 0.8rem; border-radius: var(--radius-small); background: var(--sunken); }
.side .body i { font-style: normal; color: var(--accent); }
.empty { color: var(--ink-soft); font-size: 0.9rem; }
.trace { padding: 0 0.9rem 0.6rem; color: var(--ink-soft); }
.trace code { user-select: all; overflow-wrap: anywhere; }
.again { display: flex; gap: 0.5rem 0.9rem; align-items: start; padding: 0 0.9rem 0.9rem; }
.again details { min-width: 0; }
.again details[open] { flex: 1; }
.again summary { cursor: pointer; color: var(--ink-soft); font: 600 0.84rem / 1.9 var(--mono); }
@media (max-width: 40rem) {
  .message > summary { display: block; }
  .message summary .number { margin-right: 0.3em; }
  .message .took { display: block; }
}
.inside > h4 { margin: 0.3rem 0 0.45rem; }
`;

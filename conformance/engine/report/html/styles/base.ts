/**
 * The first part of the style sheet of the HTML report: colours, type, the frame of the page, its top and its
 * side bar. Every text has contrast AA to its background, in light and in dark colours.
 */

/** The outcomes as names of CSS classes and of colours. */
const OUTCOMES = ['fail', 'inconclusive', 'warning', 'pass', 'not-applicable'] as const;
/** The colour of each way in which a message or a step ends. */
const TONES = { good: 'pass', refused: 'warning', broken: 'fail' } as const;

/** Returns one CSS rule for each name; the names are the outcomes unless given. */
export const rulesFor = (rule: (name: string) => string, names: readonly string[] = OUTCOMES): string =>
  names.map(rule).join('\n');

/** Returns one CSS rule for each way in which a message or a step ends, with the colour for it. */
export const rulesForTones = (rule: (tone: string, colour: string) => string): string =>
  Object.entries(TONES)
    .map(([tone, colour]) => rule(tone, colour))
    .join('\n');

/**
 * The filter by outcome. It needs no script: while a radio button is checked, everything with another outcome
 * is hidden.
 */
const filterRules = rulesFor(
  (name) => `
body:has(#show-${name}:checked) :is(.outcome, .row, .scenario):not(.${name}) { display: none; }
body:has(#show-${name}:checked) #checks:not(:has(.outcome.${name}))::after,
body:has(#show-${name}:checked) #requirements:not(:has(.row.${name}))::after,
body:has(#show-${name}:checked) #scenarios:not(:has(.scenario.${name}))::after { content: 'None of this kind.'; color: var(--ink-soft); }`,
);

/**
 * Classes: `top` is the head of the page, with the `verdict`, its `parts`, its `sentence` and the bar of
 * `proportions`. `set-up` lists problems that kept the run from judging, `stale` the entries of the list of
 * known failures that are out of date. `side-bar` has the search (`find`, with what it `found`) and the
 * `filter` with a `choice` for each outcome. `fold`
 * are the buttons that open or close all cards.
 * `about` has the circumstances of the run. A name such as
 * `fail` is a colour for text, `fail-soft` the background for it.
 */
export const baseStyles = `
:root {
  color-scheme: light dark;
  --paper: #f4f2ec; --card: #fffefb; --sunken: #f8f6f0;
  --ink: #1c2a2b; --ink-soft: #54636a; --line: #e3dfd4; --line-strong: #8b938f;
  --accent: #0b6e63; --accent-soft: #e4f1ee;
  --fail: #a8322a; --fail-soft: #fbebe7;
  --inconclusive: #7a3b8f; --inconclusive-soft: #f5eaf8;
  --warning: #8a5200; --warning-soft: #fbf1df;
  --pass: #1d6b41; --pass-soft: #e6f3ea;
  --not-applicable: #54636a; --not-applicable-soft: #eeece5;
  --client: #0b6e63; --auth: #8a5200; --ehr: #42459f; --sms: #54636a;
  --mark: rgb(226 180 50 / 14%); --mark-ground: #f5ecd5; --mark-line: #d3a62a;
  --focus: #1f5fd0;
  --radius: 14px; --radius-small: 9px;
  --text: -apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Inter, 'Noto Sans', 'Liberation Sans', Arial, sans-serif;
  --display: 'Iowan Old Style', Charter, 'Palatino Linotype', Palatino, P052, 'Noto Serif', Georgia, serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12181a; --card: #1a2224; --sunken: #151c1e;
    --ink: #e7eceb; --ink-soft: #a5b2b3; --line: #2c3739; --line-strong: #74838a;
    --accent: #63cbbb; --accent-soft: #17332f;
    --fail: #f08b7f; --fail-soft: #3a2220;
    --inconclusive: #d7a5ea; --inconclusive-soft: #33233a;
    --warning: #f0bd6b; --warning-soft: #33291a;
    --pass: #7fd3a2; --pass-soft: #1a3025;
    --not-applicable: #a5b2b3; --not-applicable-soft: #232c2e;
    --client: #63cbbb; --auth: #f0bd6b; --ehr: #b3b6fa; --sms: #a5b2b3;
    --mark: rgb(201 166 60 / 13%); --mark-ground: #2c2e22; --mark-line: #c9a63c;
    --focus: #8ab4ff;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { font: 100% / 1.55 var(--text); color: var(--ink); background: var(--paper); -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body, h1, h2, h3, h4, p, dl, dd, ul, ol, figure, fieldset, pre { margin: 0; }
ul, ol { padding: 0; list-style: none; }
a { color: var(--accent); text-underline-offset: 0.18em; }
code, pre { font-family: var(--mono); font-size: 0.86em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: 0.5rem; top: -4rem; padding: 0.5rem 1rem; background: var(--card); border-radius: var(--radius-small); z-index: 3; }
.skip:focus { top: 0.5rem; }
.page { max-width: 82rem; margin: 0 auto; padding: clamp(1.25rem, 3.5vw, 3rem) clamp(0.85rem, 3vw, 2.5rem) 4rem; }

.top { display: grid; gap: 0.7rem; margin-bottom: clamp(1.5rem, 3vw, 2.5rem); }
.eyebrow { color: var(--ink-soft); font-size: 0.9rem; }
h1 { font: 600 clamp(1.35rem, 1.1rem + 1.2vw, 1.8rem) / 1.25 var(--display); text-wrap: balance; overflow-wrap: anywhere; }
.verdict { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 0.9rem; }
.verdict .word { font: 600 clamp(2.3rem, 1.7rem + 3vw, 3.6rem) / 1.1 var(--display); letter-spacing: -0.015em; }
${rulesFor((name) => `.verdict.${name} .word { color: var(--${name}); }`, ['pass', 'fail', 'inconclusive'])}
.parts { display: grid; gap: 0.2rem; max-width: 62ch; font-size: 1.06rem; }
.parts div { display: grid; grid-template-columns: 7rem 1fr; gap: 0.2rem 0.8rem; }
.parts dt { font-weight: 600; }
@media (max-width: 34rem) { .parts div { grid-template-columns: 1fr; } .parts { gap: 0.6rem; } }
.sentence { max-width: 62ch; font-size: 1.06rem; }
.proportions { display: block; max-width: 46rem; border-radius: 5px; overflow: hidden; margin: 0.2rem 0; }
${rulesFor((name) => `.proportions .${name} { fill: var(--${name}); }`, OUTCOMES.slice(0, -1))}
.proportions .not-applicable { fill: var(--line-strong); }
.set-up { display: grid; gap: 0.8rem; max-width: 46rem; margin: 0.4rem 0; }
.set-up li, .stale { padding: 0.85rem 1.1rem; border-left: 4px solid var(--inconclusive); border-radius: var(--radius-small); background: var(--inconclusive-soft); overflow-wrap: anywhere; }
.stale { max-width: 46rem; border-color: var(--fail); background: var(--fail-soft); }
.stale h2 { font: 600 1rem / 1.4 var(--text); }
.meta { display: flex; flex-wrap: wrap; gap: 0.15rem 1.6rem; color: var(--ink-soft); font-size: 0.9rem; }
.meta div { display: flex; gap: 0.4em; }
.meta dt::after { content: ':'; }
.meta dd { color: var(--ink); }

.columns { display: grid; gap: 1.5rem; }
.side-bar { display: grid; gap: 1rem; align-content: start; min-width: 0; }
/* A filter is fast, because the browser lays out the screen alone. The padding has room for outlines. */
.outcome, #requirements, #scenarios { content-visibility: auto; contain-intrinsic-height: auto 1500px; margin-inline: -0.5rem; padding-inline: 0.5rem; }
@media print { .outcome, #requirements, #scenarios { content-visibility: visible; } }
main { min-width: 0; display: grid; gap: clamp(2rem, 4vw, 3rem); }
nav ul { display: flex; flex-wrap: wrap; gap: 0.3rem 1.2rem; }
nav a { display: inline-block; padding: 0.3rem 0; }
[hidden] { display: none !important; }
.find { display: grid; gap: 0.3rem; margin-bottom: 1rem; }
.find label { color: var(--ink-soft); font-size: 0.9rem; }
.find input { min-width: 0; width: 100%; max-width: 26rem; min-height: 2.25rem; padding: 0.3rem 0.75rem; border: 1px solid var(--line-strong); border-radius: var(--radius-small); background: var(--card); color: inherit; font: inherit; }
.find input::placeholder { color: var(--ink-soft); opacity: 1; }
.found { min-height: 1.4em; color: var(--ink-soft); font-size: 0.86rem; line-height: 1.4; }
.filter { min-width: 0; padding: 0; border: 0; display: flex; flex-wrap: wrap; gap: 0.4rem; }
.filter legend { padding: 0; margin-bottom: 0.4rem; color: var(--ink-soft); font-size: 0.9rem; }
.choice { position: relative; display: inline-flex; align-items: center; gap: 0.45rem; padding: 0.3rem 0.75rem; min-height: 2.25rem; border: 1px solid var(--line); border-radius: 999px; background: var(--card); cursor: pointer; }
.choice:hover { border-color: var(--line-strong); }
.choice input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.choice:has(:checked) { border-color: var(--ink); box-shadow: inset 0 0 0 1px var(--ink); font-weight: 600; }
.choice:has(:focus-visible) { outline: 3px solid var(--focus); outline-offset: 2px; }
.choice .number { color: var(--ink-soft); font-variant-numeric: tabular-nums; }
.choice.all .sign { display: none; }
@media (min-width: 62rem) {
  .columns { grid-template-columns: 13rem minmax(0, 1fr); gap: 2.75rem; }
  .side-bar { position: sticky; top: 1.25rem; gap: 1.75rem; max-height: calc(100vh - 2.5rem); }
  .filter { flex-direction: column; gap: 0.25rem; }
  .choice { width: 100%; border-color: transparent; background: transparent; border-radius: var(--radius-small); }
  .choice .number { margin-left: auto; }
  nav ul { flex-direction: column; gap: 0; padding-left: 0.75rem; }
}
.section-head { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0.3rem 1rem; margin-bottom: 0.9rem; }
h2 { font: 600 1.5rem / 1.3 var(--display); }
.lead, .nothing { margin-bottom: 0.9rem; color: var(--ink-soft); }
.fold { display: flex; gap: 0.4rem; }
.fold button { padding: 0.3rem 0.7rem; border: 1px solid var(--line-strong); border-radius: 999px; background: transparent; color: inherit; font: 0.88rem / 1.4 var(--text); cursor: pointer; }
.fold button:hover { background: var(--card); }

.about { display: grid; gap: 0.35rem; }
.about div { display: grid; grid-template-columns: minmax(8rem, 15rem) 1fr; gap: 0.2rem 1rem; }
.about dt { color: var(--ink-soft); }
.about dd { overflow-wrap: anywhere; }
#run h3 { margin: 1.4rem 0 0.5rem; font: 600 1.05rem / 1.3 var(--text); }
.configuration { padding: 1rem 1.1rem; border: 1px solid var(--line); border-radius: var(--radius-small); background: var(--card); white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 30rem) { .about div { grid-template-columns: 1fr; gap: 0; margin-bottom: 0.4rem; } }
${filterRules}
`;

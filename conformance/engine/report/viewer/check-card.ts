/** Shows a verdict as a card: requirements, what was found, who is to blame, what to do, and messages. */
import { type Scene, scenesOf } from '../diagram.ts';
import { adviceOf, causeOf, requirementsOf, type View } from '../lookup.ts';
import type { ReportedVerdict } from '../schema/schema.ts';
import { count, factNames, factsOf, weightWords } from '../words.ts';
import { diagramOf, gap } from './diagram.ts';
import { type Content, capital, el, fold, listOf, open, outcomeWords, tag } from './elements.ts';
import { textsIn } from './find.ts';
import { cardOf } from './frame.ts';

export function checkCard(verdict: ReportedVerdict, view: View): HTMLDetailsElement {
  const { check, title, clause, outcome, known } = verdict;
  const { requirements, scenarios, causes } = view.report;
  const weight = weightWords(verdict);
  return cardOf({
    kind: 'check',
    name: check,
    outcome,
    title,
    tags: [
      tag(outcomeWords[outcome], outcome),
      known !== undefined && tag('known'),
      tag(weight),
      el('span', clause),
      el('code', check),
    ],
    inside: () => insideOf(verdict, view),
    text: () =>
      textsIn([
        ...[verdict, weight, outcomeWords[outcome], adviceOf(check, causes)],
        requirementsOf(verdict, { requirements }),
        scenarios.filter(({ scenario }) => verdict.scenarios.includes(scenario)),
      ]),
  });
}

function insideOf(verdict: ReportedVerdict, view: View): Content {
  const { report, places } = view;
  const required = requirementsOf(verdict, report).map(({ id, clause, text, basis, risk }) => [
    ...[el('q', text), ` ${clause}, `, el('a', { href: `#requirement-${id}` }, el('code', id))],
    basis !== undefined && el('p.small', `It rests on: ${basis}`),
    risk !== undefined && el('p.small', `Where it is broken, ${risk}.`),
  ]);
  const scenes = scenesOf(verdict, places).map((scene) => sceneFold(scene, view));
  const [first] = scenes;
  if (first) open(first);
  const { playAlone } = verdict;
  return [
    listOf('ul.requires', required),
    found(verdict, view),
    causeFact(verdict.check, view),
    playAlone !== undefined && el('p.more', 'Play it alone: ', el('code.command', playAlone)),
    scenes,
  ];
}

function found({ check, finding, known }: ReportedVerdict, { report }: View): HTMLElement {
  if (finding.outcome === 'pass' && finding.evidence.length > 0)
    return el('p.more', 'Shown by what crossed the wire here:');
  if (finding.outcome === 'pass') return el('p.more', 'Nothing that crossed the wire speaks against it.');
  const facts: [string, string, string][] =
    finding.outcome === 'not applicable' ? [['wide', 'Does not apply', finding.because]] : [];
  for (const [name, text] of factsOf(finding, adviceOf(check, report.causes)))
    facts.push([name, capital(factNames[name]), text]);
  if (known !== undefined) facts.push(['known', 'Known', known]);
  const shown = facts.map(([name, title, text]) => el(`div.fact.${name}`, el('dt', title), el('dd', text)));
  return el('dl.facts', shown);
}

function causeFact(check: string, { report: { causes } }: View): Content {
  const others = causes.find((cause) => cause.check === check)?.checks.filter((name) => name !== check) ?? [];
  if (others.length > 0)
    return folded(`The cause of ${others.length === 1 ? 'one more' : `${others.length} more`}`, others);
  const cause = causeOf(check, causes);
  if (!cause) return undefined;
  if (cause.check !== undefined) return el('p.cause', 'Caused by ', links([cause.check]), `: ${cause.cause}`);
  const alike = cause.checks.filter((name) => name !== check);
  return folded(`The same cause as ${count(alike.length, 'other')}`, alike);
}

/** More links than these unfold. */
const MAX_LINKS = 6;

/** A title and the links that belong to it. Many links unfold. */
function folded(title: string, checks: readonly string[]): HTMLElement {
  if (checks.length <= MAX_LINKS) return el('p.cause', `${title}: `, links(checks));
  return fold('cause', [title], () => links(checks));
}

export function links(checks: readonly string[]): Content[] {
  return checks.map((check, index) => [index > 0 && ', ', el('a.check', { href: `#check-${check}` }, check)]);
}

/** A part of a scenario that shows a verdict. */
function sceneFold({ scenario, rows, evidence, left }: Scene, { report }: View): HTMLDetailsElement {
  const about = report.scenarios.find((each) => each.scenario === scenario);
  const isWhole = about === undefined || about.shown === about.exchanges;
  return fold('scene', [`In the scenario: ${about?.title ?? scenario}`], () => [
    diagramOf({ rows, evidence, isWhole }),
    left > 0 && gap(`${left} more of the kind, in run.json`),
    el('p.more', el('a', { href: `#scenario-${scenario}` }, 'The whole scenario')),
  ]);
}

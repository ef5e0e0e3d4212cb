/** Shows the report of a run. */
import { type View, viewOf } from '../lookup.ts';
import { straySentence } from '../scenarios.ts';
import type { Report } from '../schema/schema.ts';
import { count, duration, outcomesInOrder, partNames } from '../words.ts';
import { checkCard, links } from './check-card.ts';
import {
  type Content,
  capital,
  classOf,
  el,
  fold,
  listOf,
  open,
  outcomeWords,
  tag,
  termsOf,
} from './elements.ts';
import { findable, groupOf, textsIn } from './find.ts';
import { frameOf, headOf, sectionOf } from './frame.ts';
import { navigate } from './navigate.ts';
import { requirementsTable } from './requirements.ts';
import { scenarioCard } from './scenario-card.ts';

const SECTIONS = { checks: 'Checks', requirements: 'Requirements', scenarios: 'Scenarios', run: 'This run' };

export function reportPage(report: Report): void {
  const view = viewOf(report);
  const { counts } = report.summary;
  const sections = [
    sectionOf('checks', SECTIONS.checks, checksOf(view), { hasCards: true }),
    sectionOf('requirements', SECTIONS.requirements, requirementsTable(report)),
    sectionOf('scenarios', SECTIONS.scenarios, scenariosOf(view), { hasCards: true }),
    sectionOf('run', SECTIONS.run, aboutOf(report)),
  ];
  const page = frameOf({
    head: topOf(report),
    counts: outcomesInOrder.map((outcome) => [outcome, counts[outcome]]),
    links: { name: 'Sections', to: Object.entries(SECTIONS) },
    sections,
  });
  document.body.replaceChildren(...page);
  navigate((id) => {
    // A message has the id `m` and its `seq`, and stands in the card of its scenario.
    const scenario = view.places.scenarioBySeq.get(Number(/^m(\d+)$/.exec(id)?.[1]));
    return scenario === undefined ? undefined : `scenario-${scenario}`;
  });
}

const TONES: Readonly<Record<Report['summary']['conclusion'], 'pass' | 'fail' | 'inconclusive'>> = {
  conformant: 'pass',
  'not conformant': 'fail',
  'not safe': 'fail',
  inconclusive: 'inconclusive',
  'not set up': 'inconclusive',
  'broken off': 'inconclusive',
  'nothing judged': 'inconclusive',
  'known failures out of date': 'fail',
};

function topOf({ summary, meta, notSetUp = [], staleBaseline }: Report): HTMLElement {
  const { conclusion, finished, parts } = summary;
  // A tag says that the run was broken off, where the conclusion does not say it itself.
  const badge = !finished && conclusion !== 'broken off' && conclusion !== 'not set up';
  const ofParts = (['interface', 'safety'] as const).map(
    (part) => [partNames[part], parts[part].headline] as const,
  );
  const problems = notSetUp.map(({ problem, remedy }) => [el('p', el('strong', problem)), el('p', remedy)]);
  const stale = staleBaseline.map(({ check, because }) => [el('code', check), ` ${because}`]);
  const started = meta.startedAt.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');
  const facts: [string, Content][] = [
    ['Started', started],
    ['Seed', meta.seed],
    ['Made with', meta.tool],
    ['Node', meta.node],
  ];
  const head = { eyebrow: 'Conformance report', title: meta.target, word: capital(conclusion) };
  return headOf(
    { ...head, tone: TONES[conclusion], badge: badge && tag('broken off', 'fail') },
    conclusion !== 'not set up' && termsOf('dl.parts', ofParts),
    el('p.sentence', summary.sentence),
    proportions(summary.counts),
    problems.length > 0 && listOf('ol.set-up', problems),
    stale.length > 0 && el('div.stale', el('h2', 'The list of known failures'), listOf('ul', stale)),
    termsOf('dl.meta', facts),
  );
}

/** A bar with a part for each outcome, as wide as its share of the checks. Nothing without checks. */
function proportions(counts: Report['summary']['counts']): Content {
  const shown = outcomesInOrder.filter((outcome) => counts[outcome] > 0);
  const total = shown.reduce((sum, outcome) => sum + counts[outcome], 0);
  const said = shown.map((outcome) => `${counts[outcome]} ${outcomeWords[outcome]}`).join(', ');
  const bars = shown.map((outcome) => {
    const bar = el(`span.${classOf(outcome)}`);
    bar.style.flexGrow = String(counts[outcome]);
    return bar;
  });
  return (
    total > 0 && el('div.proportions', { role: 'img', 'aria-label': `Of ${total} checks: ${said}` }, bars)
  );
}

function checksOf(view: View): Content {
  if (view.verdicts.length === 0) return el('p.lead', 'No check was asked.');
  const cards = view.verdicts.map((verdict) => checkCard(verdict, view));
  const atFirst = openAtFirst(view);
  for (const card of cards) if (atFirst.has(card.id)) open(card);
  return [causesOf(view.report), groupOf(cards)];
}

/** Limits the cards that are open at first: each makes the page longer and slower. */
const MAX_OPEN = 3;

/** Of each cause only its first check, and checks without a cause; none that is known to fail. */
function openAtFirst({ verdicts, report: { causes } }: View): Set<string> {
  const isLead = (check: string) => {
    const cause = causes.find(({ checks }) => checks.includes(check));
    return cause === undefined || (cause.check ?? cause.checks[0]) === check;
  };
  const leads = verdicts.filter(
    ({ check, outcome, known }) =>
      (outcome === 'fail' || outcome === 'inconclusive') && known === undefined && isLead(check),
  );
  return new Set(leads.slice(0, MAX_OPEN).map(({ check }) => `check-${check}`));
}

/** Each cause says what is wrong, what to do, and which checks show it. */
function causesOf({ causes }: Report): Content {
  if (causes.length === 0) return false;
  const checks = causes.reduce((sum, cause) => sum + cause.checks.length, 0);
  const title = `${count(causes.length, 'cause')} of ${checks} checks that ${checks === 1 ? 'is' : 'are'} not green`;
  const items = causes.map((cause) => {
    const [first = '', ...others] = cause.checks;
    const lead = ['Shown by ', links([first])];
    const item = el(
      'li',
      el('p.what', capital(cause.cause)),
      cause.advice !== undefined && el('p.to-do', el('b', 'To do:'), ` ${cause.advice}`),
      others.length === 0
        ? el('p.of', lead)
        : fold('of', [lead, ` and ${count(others.length, 'more check')}`], () => links(others)),
    );
    return findable({ element: item, text: () => textsIn(cause) });
  });
  return el('div.causes.items', el('h3', title), el('ol', items));
}

function scenariosOf(view: View): Content {
  const { scenarios } = view.report;
  if (scenarios.length === 0) return el('p.lead', 'Nothing was played.');
  const cards = scenarios.map((about) => scenarioCard(about, view));
  const hint = el(
    'p.lead',
    'Each scenario shows its messages between the lanes, with the verdicts in the margin. ',
    'To walk through them message by message, start ',
    el('code', 'npm run demo'),
    ' and drop ',
    el('a', { href: 'run.json' }, 'run.json'),
    ', which lies beside this file, on the page of the console.',
  );
  return [hint, groupOf(cards)];
}

const GATES = {
  interface: 'what breaks the interface',
  safety: 'what breaks the interface, and essential weaknesses',
} as const;

function aboutOf(report: Report): Content {
  const { meta, summary, scenarios } = report;
  const { absentSteps, canAdvanceClock, otpLifetimeSeconds } = meta.abilities;
  // The scenario with an empty name has the entries between the scenarios.
  const played = scenarios.filter(({ scenario }) => scenario !== '').length;
  const facts: [string, string][] = [
    ['Played', `${count(played, 'scenario')} in ${duration(summary.took)}`],
    ['Mode', meta.mode === 'watch' ? 'a watched session' : 'scenarios'],
    ['Restricted to', summary.only ?? 'nothing: every check was asked'],
    ['Fails by', GATES[summary.demands.gate]],
    ['Strict', summary.demands.strict ? 'yes: recommendations count' : 'no: recommendations do not count'],
    ['The kit itself stood still for', `${duration(meta.longestSilenceMs)} at most`],
    ['Requests of strangers', straySentence(report) ?? 'none'],
    ['Run to its end', summary.finished ? 'yes' : 'no, it was broken off'],
    ['Steps the server does not have', absentSteps.join(', ') || 'none'],
    ['Its clock can be moved', canAdvanceClock ? 'yes' : 'no'],
    ['Lifetime of a code', otpLifetimeSeconds === undefined ? 'not stated' : `${otpLifetimeSeconds} s`],
  ];
  const configuration = el('pre.configuration', JSON.stringify(meta.configuration, null, 2));
  return [termsOf('dl.about', facts), el('h3', 'Configuration'), configuration];
}

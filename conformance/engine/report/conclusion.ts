/** Concludes a run: in a word, an exit code and a sentence, and for each part in a headline. */
import { type Demands, EXIT, isRed, type Verdict } from '../check/verdict.ts';
import { type ConclusionPart, parts } from '../check/weight.ts';
import type { RunMeta } from '../journal/run-file.ts';
import type { AppliedFailures } from './known-failures.ts';
import type { Report, ReportedRequirement } from './schema/schema.ts';
import { count, outcomesInOrder } from './words.ts';

type Summary = Report['summary'];
type Wordless = Omit<Summary, 'sentence'>;
type Counts = Summary['counts'];

/** What a run is concluded from. `took` is in milliseconds, `causes` how many causes the red verdicts have. */
type Judged = {
  meta: Pick<RunMeta, 'mode' | 'finished'>;
  took: number;
  verdicts: readonly Verdict[];
  requirements: readonly ReportedRequirement[];
  causes: number;
  applied: AppliedFailures;
  demands: Demands;
  only: string | undefined;
  isSetUp: boolean;
};

export function summaryOf(judged: Judged): Summary {
  const { meta, took, verdicts, applied, demands, only } = judged;
  const { finished } = meta;
  const conclusion = conclusionOf(judged);
  const summary = {
    conclusion,
    exitCode: exitCodeOf(conclusion, applied, finished),
    finished,
    demands,
    only,
    took,
    counts: countsOf(verdicts),
    parts: { interface: partOf('interface', judged), safety: partOf('safety', judged) },
    known: Object.keys(applied.known).length,
  };
  return { ...summary, sentence: sentenceOf(summary, judged) };
}

/** The first rule that applies counts. */
function conclusionOf({ meta, verdicts, applied, demands, isSetUp }: Judged): Summary['conclusion'] {
  if (!isSetUp) return 'not set up';
  const red = verdicts.filter((verdict) => isRed(verdict, demands));
  const wrong = red.filter(({ outcome }) => outcome !== 'inconclusive');
  const failed = wrong.filter(({ outcome }) => outcome === 'fail');
  if (failed.length > 0) return worstOf(failed);
  if (!meta.finished) return 'broken off';
  // A run that judged nothing must not look like a success.
  const { pass, warning } = countsOf(verdicts);
  if (pass + warning === 0 && red.length === 0) return 'nothing judged';
  if (wrong.length > 0) return worstOf(wrong);
  if (red.length > 0) return 'inconclusive';
  return applied.stale.length > 0 ? 'known failures out of date' : 'conformant';
}

function worstOf(red: readonly Verdict[]): Summary['conclusion'] {
  const worst = parts.find((part) => red.some((verdict) => verdict.part === part)) ?? 'interface';
  return worst === 'interface' ? 'not conformant' : 'not safe';
}

/** Whether a verdict that could not be reached is due to the kit or its surroundings, not to the party. */
const isOfKit = ({ finding }: Verdict): boolean =>
  finding.outcome !== 'inconclusive' || finding.blame === 'harness' || finding.blame === 'environment';

function exitCodeOf(
  conclusion: Summary['conclusion'],
  { passes }: AppliedFailures,
  finished: boolean,
): number {
  if (conclusion === 'not set up') return EXIT.notSetUp;
  return passes && finished && conclusion !== 'nothing judged' ? EXIT.conformant : EXIT.notConformant;
}

function partOf(part: ConclusionPart, judged: Judged): Summary['parts'][ConclusionPart] {
  const own = judged.verdicts.filter((verdict) => verdict.part === part);
  const rows = judged.requirements.filter((row) => row.part === part);
  const headline = headlineOf(part, own, rows, judged);
  return { headline, checks: countsOf(own), requirements: statusCounts(rows) };
}

function countsOf(verdicts: readonly Pick<Verdict, 'outcome'>[]): Counts {
  const counts = Object.fromEntries(outcomesInOrder.map((name) => [name, 0])) as Counts;
  for (const { outcome } of verdicts) counts[outcome]++;
  return counts;
}

function statusCounts(matrix: readonly ReportedRequirement[]) {
  const counts = { met: 0, broken: 0, warning: 0, inconclusive: 0, 'not judged': 0 };
  for (const { status } of matrix) counts[status]++;
  return counts;
}

function sentenceOf(summary: Wordless, { meta, verdicts, requirements, causes, applied }: Judged): string {
  if (summary.conclusion === 'not set up') return 'The set-up is not ready, so the server was not judged.';
  const { known, only, finished } = summary;
  const stale = applied.stale.length;
  const fieldFacts = requirements.filter(isUnfollowedFact).length;
  const unclear = verdicts.filter(({ outcome }) => outcome === 'inconclusive').map(({ check }) => check);
  return [
    found(summary, causes),
    summary.conclusion === 'inconclusive' &&
      (verdicts.every(isOfKit)
        ? 'Nothing was found against it: what could not be judged is due to the kit or its surroundings. Run it again.'
        : 'What could not be judged has not passed: each says what kept it from being judged.'),
    unclear.length > 0 && `Not judged: ${firstOf(unclear)}.`,
    known > 0 && `${count(known, 'of them is known and does', 'of them are known and do')} not count.`,
    stale > 0 &&
      `${count(stale, 'entry', 'entries')} of the list of known failures no longer ${stale === 1 ? 'holds' : 'hold'}.`,
    !finished && 'The run was broken off: what was not played could not be judged.',
    fieldFacts > 0 &&
      `${count(fieldFacts, 'recommendation is a fact', 'recommendations are facts')} of the field: clients that are deployed depend on ${fieldFacts === 1 ? 'it' : 'them'}.`,
    only !== undefined && `The run was restricted to ${only}: the rest was not asked.`,
    meta.mode === 'watch' && 'A watched session was judged: only what crossed the wire in it.',
  ]
    .filter((part) => part !== false)
    .join(' ');
}

/** Why requirements were not judged, in the order of the headline, and the words for one and for several. */
const UNJUDGED: readonly [
  reason: NonNullable<ReportedRequirement['unjudged']>,
  ofOne: string,
  ofSeveral: string,
][] = [
  ['not applicable', 'does not apply', 'do not apply'],
  ['not seen', 'was not met with', 'were not met with'],
  ['not asked', 'was not asked', 'were not asked'],
  ['no check', 'has no check', 'have no check'],
];

/** Limits the checks that the sentence names. */
const MAX_NAMED = 5;

const firstOf = (checks: readonly string[]): string =>
  list([
    ...checks.slice(0, MAX_NAMED),
    ...(checks.length > MAX_NAMED ? [`${checks.length - MAX_NAMED} more`] : []),
  ]);

/** The conclusion on one part: `conformant (81 of 96 requirements judged; 15 cannot be seen on the wire)`. */
function headlineOf(
  part: ConclusionPart,
  own: readonly Verdict[],
  rows: readonly ReportedRequirement[],
  { meta, demands, isSetUp }: Judged,
): string {
  if (!isSetUp) return 'not set up';
  const counts = statusCounts(rows);
  if (counts['not judged'] === rows.length) return 'nothing judged';
  const { broken, warning, inconclusive } = counts;
  const open = inconclusive > 0 && `${inconclusive} could not be judged`;
  const off = !meta.finished && 'broken off';
  const said = (...words: readonly (string | false)[]) => words.filter((each) => each !== false).join(', ');
  const ofField = rows.filter(isUnfollowedFact).length;
  const facts = ofField > 0 && `${ofField} of them ${ofField === 1 ? 'a fact' : 'facts'} of the field`;
  const advised = warning > 0 && said(count(warning, 'recommendation'), facts);
  const failed = countsOf(own).fail;
  const red = own.filter((verdict) => isRed(verdict, demands));
  const found = part === 'safety' ? weaknesses(broken, warning, failed) : conformity(broken, failed, red);
  return `${said(found, advised, open, off)} (${extentOf(rows)})`;
}

function weaknesses(broken: number, warned: number, failed: number): string | false {
  if (broken > 0) return count(broken, 'weakness', 'weaknesses');
  // A check of safety may fail by what it demands of the interface alone.
  if (failed > 0) return `${count(failed, 'check')} failed`;
  return warned === 0 && 'no weakness';
}

/** Whether the interface is kept. Without a failure only `--strict` lets recommendations speak against it. */
function conformity(broken: number, failed: number, red: readonly Verdict[]): string {
  if (broken > 0) return `not conformant: ${broken} broken`;
  if (failed > 0) return `not conformant: ${count(failed, 'check')} failed`;
  if (red.some(({ outcome }) => outcome === 'warning')) return 'not conformant by --strict';
  return red.length > 0 ? 'inconclusive' : 'conformant';
}

/** Whether a recommendation that is not followed is a fact of the field. */
const isUnfollowedFact = ({ status, source }: ReportedRequirement) =>
  status === 'warning' && source === 'field';

function extentOf(rows: readonly ReportedRequirement[]): string {
  const judged = rows.filter(({ status }) => status !== 'not judged').length;
  const reasons = UNJUDGED.flatMap(([reason, one, many]) => {
    const number = rows.filter(({ unjudged }) => unjudged === reason).length;
    return number === 0 ? [] : [`${number} ${number === 1 ? one : many}`];
  });
  const much = `${judged} of ${rows.length} requirements judged`;
  return reasons.length > 0 ? `${much}; ${reasons.join(', ')}` : much;
}

function found({ counts, conclusion }: Wordless, causes: number): string {
  const { pass, fail, warning, inconclusive } = counts;
  const applying = pass + fail + warning + inconclusive;
  if (conclusion === 'nothing judged') return 'Not a single check had anything to judge.';
  if (applying === 0) return 'No check had anything to judge yet.';
  const worse = [
    fail > 0 && `${fail} failed`,
    inconclusive > 0 && `${inconclusive} could not be judged`,
    warning > 0 && `${warning} gave a warning`,
  ].filter((part) => part !== false);
  if (worse.length === 0)
    return `${applying === 1 ? 'The one check that applies' : `All ${applying} checks that apply`} passed.`;
  const wrong = fail + inconclusive + warning;
  const grouped = causes < wrong ? ` The ${wrong} that did not pass have ${count(causes, 'cause')}.` : '';
  return `Of ${count(applying, 'check')} that ${applying === 1 ? 'applies' : 'apply'}, ${list([...worse, `${pass} passed`])}.${grouped}`;
}

function list(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] as string) : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

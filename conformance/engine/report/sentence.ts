/** Says the conclusion of a run in words: what was judged, what was found, and what was not judged. */

import type { ConclusionPart } from '../check/weight.ts';
import type { Report, ReportedRequirement } from './schema/schema.ts';
import { count } from './words.ts';

/** The summary of the report, without the texts that this file makes. */
type Summary = Omit<Report['summary'], 'sentence'>;

/** What the sentence says besides the summary. */
export type SentenceAbout = {
  mode: Report['meta']['mode'];
  /** How many entries of the list of known failures are out of date. */
  stale: number;
  /** How many causes the checks that are not green have. */
  causes: number;
  /** How many broken requirements are facts of the field. */
  fieldFacts: number;
};

/** The conclusion in a few sentences. */
export function sentenceOf(summary: Summary, { mode, stale, causes, fieldFacts }: SentenceAbout): string {
  if (summary.conclusion === 'not set up') return 'The set-up is not ready, so the server was not judged.';
  const { known, only, finished } = summary;
  return [
    found(summary, causes),
    summary.conclusion === 'inconclusive' &&
      'Nothing was found against it: what could not be judged is due to the kit or its surroundings. Run it again.',
    known > 0 && `${count(known, 'of them is known and does', 'of them are known and do')} not count.`,
    stale > 0 &&
      `${count(stale, 'entry', 'entries')} of the list of known failures no longer ${stale === 1 ? 'holds' : 'hold'}.`,
    !finished && 'The run was broken off: what was not played could not be judged.',
    fieldFacts > 0 &&
      `${count(fieldFacts, 'broken requirement is a fact', 'broken requirements are facts')} of the field, which deployed programs depend on: where none works with this party, "set-aside" in the list of known failures can leave them out.`,
    only !== undefined && `The run was restricted to ${only}: the rest was not asked.`,
    mode === 'watch' && 'A watched session was judged: only what crossed the wire in it.',
  ]
    .filter((part) => part !== false)
    .join(' ');
}

/**
 * Reasons why requirements were not judged, in the order of the headline: the reason, its words for one
 * requirement, and its words for several.
 */
const UNJUDGED: readonly (readonly [NonNullable<ReportedRequirement['unjudged']>, string, string])[] = [
  ['off the wire', 'cannot be seen on the wire', 'cannot be seen on the wire'],
  ['not applicable', 'does not apply', 'do not apply'],
  ['not seen', 'was not met with', 'were not met with'],
  ['not asked', 'was not asked', 'were not asked'],
  ['no check', 'has no check', 'have no check'],
];

/**
 * The conclusion on one part, and how much of it was judged: `conformant (81 of 96 requirements judged; 15
 * cannot be seen on the wire)`, `2 weaknesses, 1 recommendation (…)`, `differs in 4 of 31 open points`.
 * @param rows the requirements of the part
 * @param ended how the run ended for this part; undefined: it was not set up, so nothing was judged
 */
export function headlineOf(
  part: ConclusionPart,
  rows: readonly ReportedRequirement[],
  ended: { finished: boolean; conclusion: 'conformant' | 'not conformant' | 'inconclusive' } | undefined,
): string {
  if (ended === undefined) return 'not set up';
  const judged = rows.filter(({ status }) => status !== 'not judged').length;
  if (judged === 0) return 'nothing judged';
  const number = (status: ReportedRequirement['status']) =>
    rows.filter((row) => row.status === status).length;
  const unclear = number('inconclusive');
  const open = unclear > 0 && `${unclear} could not be judged`;
  const off = !ended.finished && 'broken off';
  const said = (...words: readonly (string | false)[]) => words.filter((each) => each !== false).join(', ');
  if (part === 'reference') {
    const [differing, points] = [number('differs'), count(judged, 'open point')];
    const found = differing > 0 ? `differs in ${differing} of ${points}` : `as the reference in ${points}`;
    return said(found, open, off);
  }
  const [broken, warned] = [number('broken'), number('warning')];
  if (part === 'safety') {
    const weak = broken > 0 ? count(broken, 'weakness', 'weaknesses') : warned === 0 && 'no weakness';
    const advised = warned > 0 && count(warned, 'recommendation');
    return `${said(weak, advised, open, off)} (${extentOf(rows)})`;
  }
  const ofField = rows.filter(isBrokenFact).length;
  const facts = ofField > 0 && `${ofField} of them ${ofField === 1 ? 'a fact' : 'facts'} of the field`;
  const conclusion = broken > 0 ? `not conformant: ${said(`${broken} broken`, facts)}` : ended.conclusion;
  return `${said(conclusion, warned > 0 && count(warned, 'recommendation'), open, off)} (${extentOf(rows)})`;
}

/** Whether a requirement that is broken is a fact of the field. */
export const isBrokenFact = ({ status, source }: ReportedRequirement) =>
  status === 'broken' && source === 'field';

/** How much was judged, and why the rest was not. */
function extentOf(rows: readonly ReportedRequirement[]): string {
  const judged = rows.filter(({ status }) => status !== 'not judged').length;
  const reasons = UNJUDGED.flatMap(([reason, one, many]) => {
    const number = rows.filter(({ unjudged }) => unjudged === reason).length;
    return number === 0 ? [] : [`${number} ${number === 1 ? one : many}`];
  });
  const much = `${judged} of ${rows.length} requirements judged`;
  return reasons.length > 0 ? `${much}; ${reasons.join(', ')}` : much;
}

/** How many checks passed, failed and so on. */
function found({ counts, conclusion }: Summary, causes: number): string {
  const { pass, fail, warning, differs, inconclusive } = counts;
  const applying = pass + fail + warning + differs + inconclusive;
  if (conclusion === 'nothing judged') return 'Not a single check had anything to judge.';
  if (applying === 0) return 'No check had anything to judge yet.';
  const worse = [
    fail > 0 && `${fail} failed`,
    inconclusive > 0 && `${inconclusive} could not be judged`,
    warning > 0 && `${warning} gave a warning`,
    differs > 0 && `${differs} ${differs === 1 ? 'differs' : 'differ'} from the reference`,
  ].filter((part) => part !== false);
  if (worse.length === 0)
    return `${applying === 1 ? 'The one check that applies' : `All ${applying} checks that apply`} passed.`;
  const wrong = fail + inconclusive + warning + differs;
  const grouped = causes < wrong ? ` The ${wrong} that did not pass have ${count(causes, 'cause')}.` : '';
  return `Of ${count(applying, 'check')} that ${applying === 1 ? 'applies' : 'apply'}, ${list([...worse, `${pass} passed`])}.${grouped}`;
}

/** Joins parts to "a, b and c". */
function list(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] as string) : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Says the conclusion of a run in words: what was judged, what was found, and what was not judged. */

import type { ConclusionPart } from '../check/weight.ts';
import type { Report, ReportedRequirement } from './schema/schema.ts';
import { count } from './words.ts';

type Summary = Omit<Report['summary'], 'sentence'>;

/** What the sentence says besides the summary. */
export type SentenceAbout = {
  mode: Report['meta']['mode'];
  stale: number;
  causes: number;
  /** How many recommendations that are not followed are facts of the field. */
  fieldFacts: number;
  isKitToBlame: boolean;
  /** The checks that were inconclusive. */
  unclear: readonly string[];
};

/** How a run ended for one part. `failed` counts the checks of the part that failed. */
export type PartEnd = {
  finished: boolean;
  failed: number;
  conclusion: 'conformant' | 'not conformant' | 'inconclusive';
};

export function sentenceOf(
  summary: Summary,
  { mode, stale, causes, fieldFacts, isKitToBlame, unclear }: SentenceAbout,
): string {
  if (summary.conclusion === 'not set up') return 'The set-up is not ready, so the server was not judged.';
  const { known, only, finished } = summary;
  return [
    found(summary, causes),
    summary.conclusion === 'inconclusive' &&
      (isKitToBlame
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
    mode === 'watch' && 'A watched session was judged: only what crossed the wire in it.',
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

/**
 * The conclusion on one part, and how much of it was judged: `conformant (81 of 96 requirements judged; 15
 * cannot be seen on the wire)`, `2 weaknesses, 1 recommendation (…)`.
 * @param rows the requirements of the part
 * @param ended how the run ended for this part; undefined: it was not set up, so nothing was judged
 */
export function headlineOf(
  part: ConclusionPart,
  rows: readonly ReportedRequirement[],
  ended: PartEnd | undefined,
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
  const [broken, warned] = [number('broken'), number('warning')];
  const ofField = rows.filter(isUnfollowedFact).length;
  const facts = ofField > 0 && `${ofField} of them ${ofField === 1 ? 'a fact' : 'facts'} of the field`;
  const advised = warned > 0 && said(count(warned, 'recommendation'), facts);
  const found = part === 'safety' ? weaknesses(broken, warned, ended.failed) : conformity(broken, ended);
  return `${said(found, advised, open, off)} (${extentOf(rows)})`;
}

function weaknesses(broken: number, warned: number, failed: number): string | false {
  if (broken > 0) return count(broken, 'weakness', 'weaknesses');
  // A check of safety may fail by what it demands of the interface alone.
  if (failed > 0) return `${count(failed, 'check')} failed`;
  return warned === 0 && 'no weakness';
}

/** Whether the interface is kept. Without a broken MUST only `--strict` lets recommendations speak against it. */
function conformity(broken: number, { failed, conclusion }: PartEnd): string {
  if (broken > 0) return `not conformant: ${broken} broken`;
  if (failed > 0) return `not conformant: ${count(failed, 'check')} failed`;
  return conclusion === 'not conformant' ? 'not conformant by --strict' : conclusion;
}

/** Whether a recommendation that is not followed is a fact of the field. */
export const isUnfollowedFact = ({ status, source }: ReportedRequirement) =>
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

function found({ counts, conclusion }: Summary, causes: number): string {
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

/**
 * Proves the command `rerun` on parties with one defect: a check that finds a fault in a run of many
 * scenarios must find one when it is played alone with the defect, and be fixed on the right party. What
 * another scenario spoiled for a check is no fault that it found: such a check may find none alone.
 */
import { seededRandom } from '#protocol/time/random.ts';
import type { Check } from '../../check/check.ts';
import { isDisturbed, judge } from '../../check/judge.ts';
import { type Demands, isRed, type Verdict } from '../../check/verdict.ts';
import type { Run } from '../../journal/run-file.ts';
import { comparedAgain, saidBy } from '../../report/compare/again.ts';
import { narrowed } from '../../report/compare/scope.ts';
import { type Catalogue, type DefectOf, type PlayOptions, referenceOf, type Variant } from '../catalogue.ts';
import { recorded } from '../recorded.ts';
import { type Drawing, drawn, drawnRows, type OnRow, withoutCrash } from './draw.ts';

/** What became of the red checks of one defect. */
export type RerunRow = {
  id: string;
  /** How many checks were red in the first run, without those that the kit itself disturbed. */
  red: number;
  /** How many scenarios a rerun of all these plays. */
  scenarios: number;
  /** The checks that do not find a fault again with the defect, or not fixed on the right party, in words. */
  disagreements: readonly string[];
};

/** Which defects are played. */
export type RerunsOptions = PlayOptions &
  Drawing &
  OnRow<RerunRow> & {
    /**
     * How many drawn scenarios the run plays beside those of the check that must find the defect; all unless
     * given, and all where nothing is found with these.
     */
    others?: number | undefined;
  };

/** Everything counts that a report can call red. */
const ALL: Demands = { gate: 'safety', strict: true, likeTheReference: true };

/** Draws defects by the seed, and returns a row for each. */
export function rerunRows<V extends Variant>(
  catalogue: Catalogue<V>,
  options: RerunsOptions,
): Promise<RerunRow[]> {
  return drawnRows(catalogue.defects, options, (defect) => rowOf(defect, catalogue, options));
}

/** Plays a defect, and then its red checks on the defect and on the right party. */
async function rowOf<V extends Variant>(
  defect: DefectOf<V>,
  catalogue: Catalogue<V>,
  options: RerunsOptions,
): Promise<RerunRow> {
  const { party, mayNotApply } = catalogue;
  const asked = askedFor(defect, catalogue, options);
  const run = await runOf(defect, catalogue, options, asked);
  const red = undisturbed(judge(run, { checks: asked.checks, party })).filter((verdict) =>
    isRed(verdict, ALL),
  );
  // Scenarios at the same moment may hide a defect from its check: then the whole run counts.
  if (options.others !== undefined && !red.some(isFound))
    return rowOf(defect, catalogue, { ...options, others: undefined });
  const names = new Set(red.map(({ check }) => check));
  const chosen = asked.checks.filter(({ id }) => names.has(id));
  const checks = narrowed(chosen, red, { run, party });
  const scenarios = scenariosOf(checks);
  const again = async (variant: V) =>
    undisturbed(judge(await runOf(variant, catalogue, options, { checks, scenarios }), { checks, party }));
  const right = referenceOf(catalogue, defect);
  const changed = comparedAgain(red, await again(defect)).filter(
    ({ was, now }) => now && isFound(was) && now.outcome !== was.outcome,
  );
  // That each check passes in a whole run on a right party is what the self-test shows.
  const unmet = (await again(right)).filter(
    ({ outcome, check }) =>
      outcome !== 'pass' && !(outcome === 'not applicable' && mayNotApply(right, check)),
  );
  const disagreements = [
    ...(red.some(isFound) ? [] : ['nothing is red in the run with the defect']),
    ...changed.map(
      ({ was, now, kind }) => `${was.check}: ${kind}, was ${wordsOf(was)}; now ${now && wordsOf(now)}`,
    ),
    ...unmet.map((verdict) => `${verdict.check}: not fixed on the right party, but ${wordsOf(verdict)}`),
  ];
  return { id: defect.id, red: red.length, scenarios: scenarios.length, disagreements };
}

/** Whether a verdict says of the party that it is wrong. */
const isFound = ({ outcome }: Verdict) => outcome !== 'inconclusive';

/** Verdicts without those for which the kit itself stood still: they say nothing of the party. */
const undisturbed = (verdicts: readonly Verdict[]) => verdicts.filter((verdict) => !isDisturbed(verdict));

type AskedFor = { checks: readonly Check[]; scenarios: readonly string[] };

/** What the first run plays, and the checks that judge it. */
function askedFor<V extends Variant>(
  { caughtBy, playing }: DefectOf<V>,
  { checks, mostPlayed }: Catalogue<V>,
  { others, drawSeed }: RerunsOptions,
): AskedFor {
  const all = scenariosOf(checks);
  if (others === undefined) return { checks, scenarios: all };
  const own = playing ?? checks.find(({ id }) => id === caughtBy)?.scenarios.slice(0, mostPlayed) ?? [];
  const rest = all.filter((id) => !own.includes(id));
  const played = new Set([...own, ...drawn(rest, others, seededRandom(drawSeed))]);
  const judging = checks.flatMap((check) => {
    const scenarios = check.scenarios.filter((id) => played.has(id));
    const isWhole = scenarios.length === check.scenarios.length;
    return isWhole || check.id === caughtBy ? [{ ...check, scenarios }] : [];
  });
  return { checks: judging, scenarios: all.filter((id) => played.has(id)) };
}

function runOf<V extends Variant>(
  variant: V,
  { party, play }: Catalogue<V>,
  { clock, seed, signal }: PlayOptions,
  asked: AskedFor,
): Promise<Run> {
  return recorded(['rerun', party, variant.id, seed, asked.scenarios], () =>
    withoutCrash(() => play(variant, { clock, seed, signal }, asked)),
  );
}

const scenariosOf = (checks: readonly Check[]) => [...new Set(checks.flatMap(({ scenarios }) => scenarios))];

const wordsOf = ({ outcome, finding }: Verdict) => [outcome, saidBy(finding)].filter(Boolean).join(': ');

/**
 * Proves the command `rerun` on parties with one defect: for each check that is red in a whole run, playing
 * that check alone must come to what a whole run comes to, on the defect and on the right party.
 */
import { isDisturbed, judge } from '../../check/judge.ts';
import { type Demands, isRed, type Verdict } from '../../check/verdict.ts';
import type { Run } from '../../journal/run-file.ts';
import { comparedAgain } from '../../report/compare/again.ts';
import { narrowed } from '../../report/compare/scope.ts';
import {
  type Asked,
  type Catalogue,
  type DefectOf,
  type PlayOptions,
  referenceOf,
  type Variant,
} from '../catalogue.ts';
import { recorded } from '../recorded.ts';
import { type Drawing, drawnDefects, withoutCrash } from './draw.ts';

/** How the reruns for one defect compare with whole runs. */
export type RerunRow = {
  id: string;
  /** How many checks were red in the whole run, without those that the kit itself disturbed. */
  red: number;
  /** How many scenarios a rerun of all these plays. */
  scenarios: number;
  /** The checks on which a rerun and a whole run disagree, in words. */
  disagreements: readonly string[];
};

/** Which defects are played. */
export type RerunsOptions = PlayOptions &
  Drawing & { onRow?: (row: RerunRow, done: number, total: number) => void };

/** Everything counts that a report can call red. */
const ALL: Demands = { gate: 'safety', strict: true, likeTheReference: true };

/** Draws defects by the seed, and returns a row for each. */
export async function rerunRows<V extends Variant>(
  catalogue: Catalogue<V>,
  { drawSeed, sample, only, onRow, ...options }: RerunsOptions,
): Promise<RerunRow[]> {
  const chosen = drawnDefects(catalogue.defects, { drawSeed, sample, only });
  const reruns = new Reruns(catalogue, options);
  const rows: RerunRow[] = [];
  for (const defect of chosen) {
    const row = await reruns.row(defect);
    rows.push(row);
    onRow?.(row, rows.length, chosen.length);
  }
  return rows;
}

/** Plays whole runs and reruns of the variants of a catalogue. */
class Reruns<V extends Variant> {
  readonly #catalogue: Catalogue<V>;
  readonly #options: PlayOptions;
  /** The verdicts of whole runs on right parties. Each is played once. */
  readonly #right = new Map<string, Promise<readonly Verdict[]>>();

  constructor(catalogue: Catalogue<V>, options: PlayOptions) {
    this.#catalogue = catalogue;
    this.#options = options;
  }

  /** Compares for one defect. */
  async row(defect: DefectOf<V>): Promise<RerunRow> {
    const { checks: all, party } = this.#catalogue;
    const run = await this.#run(defect);
    const red = judge(run, { checks: all, party }).filter(
      (verdict) => isRed(verdict, ALL) && !isDisturbed(verdict),
    );
    const names = new Set(red.map(({ check }) => check));
    const checks = narrowed(
      all.filter(({ id }) => names.has(id)),
      red,
      { run, party },
    );
    const right = referenceOf(this.#catalogue, defect);
    return {
      id: defect.id,
      red: red.length,
      scenarios: scenariosOf(checks).length,
      disagreements: [
        ...(red.length === 0 ? ['nothing is red in the whole run with the defect'] : []),
        ...differences('with the defect', red, red, await this.#rerun(defect, checks)),
        ...differences(
          'on the right party',
          red,
          await this.#rightly(right),
          await this.#rerun(right, checks),
        ),
      ],
    };
  }

  async #rerun(variant: V, checks: Asked['checks'] = []): Promise<Verdict[]> {
    const run = await this.#run(variant, { checks, scenarios: scenariosOf(checks) });
    return judge(run, { checks, party: this.#catalogue.party });
  }

  /** The verdicts of a whole run on a right party. */
  #rightly(right: V): Promise<readonly Verdict[]> {
    const { checks, party } = this.#catalogue;
    const known = this.#right.get(right.id) ?? this.#run(right).then((run) => judge(run, { checks, party }));
    this.#right.set(right.id, known);
    return known;
  }

  #run(variant: V, asked: Asked = {}): Promise<Run> {
    const { party, play } = this.#catalogue;
    const key = ['rerun', party, variant.id, this.#options.seed, asked.scenarios];
    return recorded(key, () => withoutCrash(() => play(variant, this.#options, asked)));
  }
}

const scenariosOf = (checks: NonNullable<Asked['checks']>) => [
  ...new Set(checks.flatMap(({ scenarios }) => scenarios)),
];

/**
 * The checks of which a rerun says something else than a whole run.
 * @param red what the report of the whole run on the defect says
 * @param whole the verdicts of a whole run on the party that the rerun played
 */
function differences(
  where: string,
  red: readonly Verdict[],
  whole: readonly Verdict[],
  again: readonly Verdict[],
): string[] {
  const ofRerun = comparedAgain(red, again);
  return comparedAgain(red, whole).flatMap(({ kind, now }, at) => {
    const rerun = ofRerun[at];
    if (!rerun?.now || !now || [rerun.now, now].some(isDisturbed)) return [];
    if (rerun.kind === kind && rerun.now.outcome === now.outcome) return [];
    return `${now.check} ${where}: rerun ${rerun.kind} (${wordsOf(rerun.now)}), whole run ${kind} (${wordsOf(now)})`;
  });
}

function wordsOf({ outcome, finding }: Verdict): string {
  if (finding.outcome === 'pass') return outcome;
  return `${outcome}: ${finding.outcome === 'fail' ? finding.actual : finding.because}`;
}

/**
 * The self-test proves the checks of a role. It plays parties of the catalogue, whose difference is known:
 * each defect must be found by its check, and no harmless variant may change a verdict.
 */
import { judge } from '../check/judge.ts';
import type { Finding, Outcome, Verdict } from '../check/verdict.ts';
import {
  type Catalogue,
  type DefectOf,
  type HarmlessOf,
  NotSetUp,
  type PlayOptions,
  type Selection,
  type Variant,
} from './catalogue.ts';

export type SelfTestRow = {
  kind: 'reference' | 'defect' | 'harmless';
  id: string;
  title: string;
  check?: string;
  ok: boolean;
  found: string;
};

type Outcomes = readonly Pick<Verdict, 'check' | 'outcome'>[];

export type SelfTestOptions = PlayOptions & {
  only?: string | undefined;
  onRow?: (row: SelfTestRow, done: number, total: number) => void;
};

export class SelfTest<V extends Variant> {
  readonly #catalogue: Catalogue<V>;

  constructor(catalogue: Catalogue<V>) {
    this.#catalogue = catalogue;
  }

  async rows(options: SelfTestOptions): Promise<SelfTestRow[]> {
    const { only = '', onRow } = options;
    const { reference, defects, harmless } = this.#catalogue;
    const isChosen = ({ id }: Variant) => only.split(',').some((part) => id.includes(part));
    const [wrong, fine] = [defects.filter(isChosen), harmless.filter(isChosen)];
    // The verdicts on harmless variants are compared with those on the right party.
    const right = isChosen(reference) || fine.length > 0 ? [reference] : [];
    const rows: SelfTestRow[] = [];
    const add = (row: SelfTestRow) => {
      rows.push(row);
      onRow?.(row, rows.length, right.length + wrong.length + fine.length);
    };
    let known: Verdict[] | undefined;
    for (const each of right) {
      const play = async () => {
        known = await this.#verdictsOn(each, options);
        return this.#referenceRow(each, known);
      };
      add(await orNotSetUp({ ...each, kind: 'reference' }, play));
    }
    for (const defect of wrong) add(await this.defectRow(defect, options));
    for (const variant of fine)
      add(
        await orNotSetUp({ ...variant, kind: 'harmless' }, () => this.harmlessRow(variant, options, known)),
      );
    return rows;
  }

  async defectRow(defect: DefectOf<V>, options: PlayOptions): Promise<SelfTestRow> {
    const { checks, party, mostPlayed } = this.#catalogue;
    const { id, title, caughtBy } = defect;
    const about = { id, title, kind: 'defect' as const, check: caughtBy };
    const check = checks.find((each) => each.id === caughtBy);
    if (!check) return { ...about, ok: false, found: 'there is no check of this name' };
    const scenarios = defect.playing ?? check.scenarios.slice(0, mostPlayed);
    const asked = [check, ...this.checksOf(scenarios).filter((each) => each !== check)];
    return orNotSetUp(about, async () => {
      const [verdict, ...others] = await this.#verdictsOn(defect, options, { checks: asked, scenarios });
      // An inconclusive verdict makes a run fail, too, but does not say what is wrong, so nothing is found.
      const isFound = hasFault(verdict) && verdict.finding.blame === party;
      const alsoRed = others.filter(hasFault).map((other) => other.check);
      const also = alsoRed.length > 0 ? `; also by ${alsoRed.join(', ')}` : '';
      const words = isFound ? 'found' : `not found: ${verdict && wordsOf(verdict)}`;
      return { ...about, ok: isFound, found: `${words}${also}` };
    });
  }

  /** `expected`: the verdicts on the right party. Undefined: each check must pass. */
  async harmlessRow(
    variant: HarmlessOf<V>,
    options: PlayOptions,
    expected?: Outcomes,
    selection: Selection = {},
  ): Promise<SelfTestRow> {
    const { mayDiffer } = this.#catalogue;
    const { id, title } = variant;
    const outcomes = new Map(expected?.map(({ check, outcome }) => [check, outcome]));
    const changed = (await this.#verdictsOn(variant, options, selection)).filter((verdict) => {
      const { check, outcome } = verdict;
      if (outcome === 'not applicable' && variant.notPlayable?.includes(check)) return false;
      if (variant.told?.includes(check)) return !hasFault(verdict);
      const isAsExpected = this.#outcomesOf(check, outcomes.get(check)).includes(outcome);
      return !isAsExpected && !mayDiffer?.(variant, verdict);
    });
    const found = changed.length === 0 ? 'no verdict changed' : `changed: ${listed(changed)}`;
    return { id, title, kind: 'harmless', ok: changed.length === 0, found };
  }

  checksOf(scenarios: readonly string[]) {
    return this.#catalogue.checks.filter((check) => check.scenarios.every((id) => scenarios.includes(id)));
  }

  /** The right outcomes of a check on a harmless variant. `known` is the outcome on the right party. */
  #outcomesOf(check: string, known: Outcome | undefined): readonly Outcome[] {
    const mayNotApply = this.#catalogue.mayNotApply(check);
    // What the right party's file cannot have played may be playable with the variant's.
    if (mayNotApply && (known ?? 'not applicable') === 'not applicable') return ['pass', 'not applicable'];
    return [known ?? 'pass'];
  }

  #referenceRow({ id, title }: V, verdicts: readonly Verdict[]): SelfTestRow {
    const { mayNotApply } = this.#catalogue;
    const bad = verdicts.filter(
      ({ check, outcome }) => outcome !== 'pass' && !(outcome === 'not applicable' && mayNotApply(check)),
    );
    const passed = verdicts.filter(({ outcome }) => outcome === 'pass').length;
    const found =
      bad.length === 0 ? `${passed} of ${verdicts.length} checks pass` : `not passed: ${listed(bad)}`;
    return { id, title, kind: 'reference', ok: bad.length === 0, found };
  }

  async #verdictsOn(variant: V, options: PlayOptions, selection: Selection = {}): Promise<Verdict[]> {
    const { play, checks, party } = this.#catalogue;
    return judge(await play(variant, options, selection), { checks: selection.checks ?? checks, party });
  }
}

/** Returns the row that `play` makes, or a red one with the problem that the doctor found. */
async function orNotSetUp(
  { kind, id, title, check }: Pick<SelfTestRow, 'kind' | 'id' | 'title' | 'check'>,
  play: () => Promise<SelfTestRow>,
): Promise<SelfTestRow> {
  try {
    return await play();
  } catch (error) {
    if (!(error instanceof NotSetUp)) throw error;
    return { kind, id, title, ...(check !== undefined && { check }), ok: false, found: error.message };
  }
}

const hasFault = (
  verdict: Verdict | undefined,
): verdict is Extract<Verdict, { finding: { outcome: 'fail' } }> => verdict?.finding.outcome === 'fail';

const listed = (verdicts: readonly Verdict[]) =>
  verdicts.map((verdict) => `${verdict.check} (${wordsOf(verdict)})`).join(', ');

function wordsOf({ outcome, finding }: Verdict): string {
  return `${outcome}: ${saidBy(finding)}`;
}

function saidBy(finding: Finding): string {
  if (finding.outcome === 'pass') return 'it passed';
  return finding.outcome === 'fail' ? `${finding.actual} instead of ${finding.expected}` : finding.because;
}

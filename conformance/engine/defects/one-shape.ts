/** Proves the checks of a party whose right program has one shape: EHR servers and clients. */
import type { Clock } from '#protocol/time/clock.ts';
import type { SelfTestRow } from '../../roles/auth-server/self-test/self-test.ts';
import type { Check } from '../check/check.ts';
import { judge } from '../check/judge.ts';
import type { Finding, Verdict } from '../check/verdict.ts';
import type { Party } from '../journal/entry.ts';
import type { Run } from '../journal/run-file.ts';

/** A row without a shape. */
export type Row = Omit<SelfTestRow, 'shape'>;

export type Options = {
  clock: Clock;
  seed: number;
  signal: AbortSignal;
  /** Takes every `of`-th defect and harmless variant, starting with number `part`; all unless given. */
  share?: { part: number; of: number };
  /** Only variants whose id contains one of these texts, between commas. */
  only?: string | undefined;
  onRow?: (row: Row, done: number, total: number) => void;
};

/** A right program with one difference. */
export type Variant = { readonly id: string; readonly title: string };
type Defect = {
  readonly caughtBy: string;
  /** Scenarios to play, where the check judges the messages of all of them. */
  readonly playing?: readonly string[];
};
type Harmless = {
  /** Checks that cannot be played with this variant. */
  readonly notPlayable?: readonly string[];
};

export type Catalogue<V extends Variant> = {
  /** How findings name the party. */
  party: Party;
  checks: readonly Check[];
  /** Checks that cannot be played with any variant. */
  notPlayable: readonly string[];
  /** The right program. */
  reference: V;
  defects: readonly (V & Defect)[];
  harmless: readonly (V & Harmless)[];
  /** Plays these scenarios against a variant; all unless given. */
  play: (variant: V, options: Options, scenarios?: readonly string[]) => Promise<Run>;
};

type Asked = { checks?: readonly Check[]; scenarios?: readonly string[] };

/** A check that judges many scenarios finds its defect in the first of them. */
const MAX_SCENARIOS = 4;

/** The self-test of one party. */
export class OneShape<V extends Variant> {
  readonly #catalogue: Catalogue<V>;

  constructor(catalogue: Catalogue<V>) {
    this.#catalogue = catalogue;
  }

  /** Runs the right program, the defects and the harmless variants. Returns a row for each. */
  async rows(options: Options): Promise<Row[]> {
    const { seed, share, only = '', onRow } = options;
    const { reference, defects, harmless } = this.#catalogue;
    const isChosen = ({ id }: Variant, index: number) =>
      only.split(',').some((part) => id.includes(part)) && (!share || (index + seed) % share.of === share.part);
    const [wrong, fine] = [defects.filter(isChosen), harmless.filter(isChosen)];
    const rows: Row[] = [];
    const add = (row: Row) => {
      rows.push(row);
      onRow?.(row, rows.length, 1 + wrong.length + fine.length);
    };
    add({ ...(await this.harmlessRow(reference, options)), kind: 'reference' });
    for (const defect of wrong) add(await this.defectRow(defect, options));
    for (const variant of fine) add(await this.harmlessRow(variant, options));
    return rows;
  }

  /** The checks that need no other scenarios than these. */
  checksOf(scenarios: readonly string[]): Check[] {
    return this.#catalogue.checks.filter((check) => check.scenarios.every((id) => scenarios.includes(id)));
  }

  /** Plays the scenarios of the check that names a defect, and tells whether it is found. */
  async defectRow(defect: V & Defect, options: Options): Promise<Row> {
    const { id, title, caughtBy, playing } = defect;
    const about = { kind: 'defect' as const, id, title, check: caughtBy };
    const check = this.#catalogue.checks.find((each) => each.id === caughtBy);
    if (!check) return { ...about, ok: false, found: 'there is no check of this name' };
    const scenarios = playing ?? check.scenarios.slice(0, MAX_SCENARIOS);
    const [verdict] = await this.#verdictsOn(defect, options, { checks: [check], scenarios });
    // An inconclusive verdict is red as well, but does not say what is wrong: it does not count as found.
    const isRed = verdict?.outcome === 'fail' || verdict?.outcome === 'warning';
    const ok = isRed && verdict.finding.blame === this.#catalogue.party;
    return { ...about, ok, found: ok ? 'found' : `not found: ${verdict && wordsOf(verdict)}` };
  }

  /**
   * Plays a right program, and tells whether all checks pass that can be played.
   * @param asked what to play and to judge; everything unless given
   */
  async harmlessRow(variant: V & Harmless, options: Options, asked: Asked = {}): Promise<Row> {
    const { id, title, notPlayable = [] } = variant;
    const verdicts = await this.#verdictsOn(variant, options, asked);
    const absent = new Set([...this.#catalogue.notPlayable, ...notPlayable]);
    const bad = verdicts.filter(
      ({ check, outcome }) => outcome !== 'pass' && !(outcome === 'not applicable' && absent.has(check)),
    );
    const found =
      bad.length === 0
        ? `${verdicts.filter(({ outcome }) => outcome === 'pass').length} checks pass`
        : `not passed: ${bad.map((verdict) => `${verdict.check} (${wordsOf(verdict)})`).join(', ')}`;
    return { kind: 'harmless', id, title, ok: bad.length === 0, found };
  }

  async #verdictsOn(variant: V, options: Options, { checks, scenarios }: Asked): Promise<Verdict[]> {
    const { play, checks: all } = this.#catalogue;
    return judge(await play(variant, options, scenarios), { checks: checks ?? all });
  }
}

function wordsOf({ outcome, finding }: Verdict): string {
  return `${outcome}: ${saidBy(finding)}`;
}

function saidBy(finding: Finding): string {
  if (finding.outcome === 'pass') return 'it passed';
  return finding.outcome === 'fail' ? `${finding.actual} instead of ${finding.expected}` : finding.because;
}

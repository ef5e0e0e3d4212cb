/** Proves the checks of an EHR server: each defect is found, and no harmless variant fails. */
import type { Clock } from '#protocol/time/clock.ts';
import type { Check } from '../../checks/check.ts';
import { judge } from '../../judge.ts';
import type { SelfTestRow } from '../../self-test/self-test.ts';
import type { Finding, Verdict } from '../../verdict.ts';
import { allEhrChecks } from '../checks/index.ts';
import type { EhrDefect, EhrHarmless, EhrVariant } from '../defects/defect.ts';
import { ehrDefects, ehrHarmless } from '../defects/index.ts';
import { playEhr } from './play.ts';

export type EhrSelfTestRow = Omit<SelfTestRow, 'shape'>;

export type EhrSelfTestOptions = {
  clock: Clock;
  seed: number;
  signal: AbortSignal;
  /** Takes every `of`-th defect and harmless variant, starting with number `part`; all unless given. */
  share?: { part: number; of: number };
  /** Only variants whose id contains this text. */
  only?: string | undefined;
  onRow?: (row: EhrSelfTestRow, done: number, total: number) => void;
};

/** Checks that the file of the self-test cannot play: it is about another unit of ttl, and other ids. */
export const NOT_PLAYABLE: readonly string[] = ['ttl-in-seconds', 'id-as-sent'];

/** A check that judges many scenarios finds its defect in the first of them. */
const MAX_SCENARIOS = 2;

/** Runs the right server, the defects and the harmless variants. Returns a row for each. */
export async function ehrSelfTest(options: EhrSelfTestOptions): Promise<EhrSelfTestRow[]> {
  const { seed, share, only = '', onRow } = options;
  const chosen = <V extends EhrVariant>(variants: readonly V[]) =>
    variants.filter(({ id }, index) => id.includes(only) && (!share || (index + seed) % share.of === share.part));
  const wrong = chosen(ehrDefects);
  const fine = chosen(ehrHarmless);
  const rows: EhrSelfTestRow[] = [];
  const add = (row: EhrSelfTestRow) => {
    rows.push(row);
    onRow?.(row, rows.length, 1 + wrong.length + fine.length);
  };
  const title = 'The reference EHR server on memory';
  add({ ...(await harmlessRow({ id: 'reference', title, change: {} }, options)), kind: 'reference' });
  for (const defect of wrong) add(await defectRow(defect, options));
  for (const variant of fine) add(await harmlessRow(variant, options));
  return rows;
}

/** Plays the scenarios of the check that names a defect, and tells whether it is found. */
export async function defectRow(defect: EhrDefect, options: EhrSelfTestOptions): Promise<EhrSelfTestRow> {
  const { id, title, caughtBy } = defect;
  const about = { kind: 'defect' as const, id, title, check: caughtBy };
  const check = allEhrChecks.find((each) => each.id === caughtBy);
  if (!check) return { ...about, ok: false, found: 'there is no check of this name' };
  const [verdict] = await verdictsOn(defect, options, { checks: [check], scenarios: scenariosOf(defect, check) });
  // An inconclusive verdict is red as well, but does not say what is wrong: it does not count as found.
  const isRed = verdict?.outcome === 'fail' || verdict?.outcome === 'warning';
  const ok = isRed && verdict.finding.blame === 'EHR server';
  return { ...about, ok, found: ok ? 'found' : `not found: ${verdict && wordsOf(verdict)}` };
}

/** The scenarios that show a defect. */
function scenariosOf({ playing }: EhrDefect, { scenarios }: Check): readonly string[] {
  return playing ?? scenarios.slice(0, MAX_SCENARIOS);
}

type Asked = { checks?: readonly Check[]; scenarios?: readonly string[] };

/**
 * Plays a right server, and tells whether all checks pass that can be played.
 * @param asked what to play and to judge; everything unless given
 */
export async function harmlessRow(
  variant: EhrHarmless,
  options: EhrSelfTestOptions,
  asked: Asked = {},
): Promise<EhrSelfTestRow> {
  const { id, title, notPlayable = [] } = variant;
  const verdicts = await verdictsOn(variant, options, asked);
  const absent = new Set([...NOT_PLAYABLE, ...notPlayable]);
  const bad = verdicts.filter(
    ({ check, outcome }) => outcome !== 'pass' && !(outcome === 'not applicable' && absent.has(check)),
  );
  const found =
    bad.length === 0
      ? `${verdicts.filter(({ outcome }) => outcome === 'pass').length} checks pass`
      : `not passed: ${bad.map((verdict) => `${verdict.check} (${wordsOf(verdict)})`).join(', ')}`;
  return { kind: 'harmless', id, title, ok: bad.length === 0, found };
}

async function verdictsOn(
  { change, settings }: EhrVariant,
  { clock, seed, signal }: EhrSelfTestOptions,
  asked: Asked,
): Promise<Verdict[]> {
  const { checks = allEhrChecks, scenarios } = asked;
  const run = await playEhr(change, {
    clock,
    seed,
    signal,
    ...(settings && { settings }),
    ...(scenarios && { scenarios }),
  });
  return judge(run, { checks });
}

function wordsOf({ outcome, finding }: Verdict): string {
  return `${outcome}: ${saidBy(finding)}`;
}

function saidBy(finding: Finding): string {
  if (finding.outcome === 'pass') return 'it passed';
  return finding.outcome === 'fail' ? `${finding.actual} instead of ${finding.expected}` : finding.because;
}

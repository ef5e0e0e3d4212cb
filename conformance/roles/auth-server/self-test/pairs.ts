/**
 * The self-test with pairs: puts two defects into one authorization server and plays the checks. Both defects
 * must be found. Else one of them must be listed as hiding others, and the other's check must say that it
 * could not judge.
 */

import { isDisturbed } from '../../../engine/check/judge.ts';
import type { Verdict } from '../../../engine/check/verdict.ts';
import { NotSetUp } from '../../../engine/defects/catalogue.ts';
import type { PairOptions, PairRow } from '../../../engine/defects/pair-row.ts';
import { checks } from '../checks.ts';
import type { AuthVariant, Defect } from '../defects/defect.ts';
import { whyHidden } from '../defects/hiding.ts';
import { defects } from '../defects/index.ts';
import { composed, seededPairs } from '../defects/pair.ts';
import { scenarios } from '../flows/index.ts';
import { verdictsOn } from './self-test.ts';

/**
 * Limits the attempts at a pair. Only a pair that a stall of the kit's own process disturbed is played again.
 */
const MAX_ATTEMPTS = 2;

/**
 * Plays pairs of defects, and returns a row of the result table for each. `only` is one pair
 * (`one-id,other-id`) or part of an id; '' stands for all. `onRow` gets each row with its number and the
 * count of pairs.
 */
export async function selfTestPairs({
  count,
  only = '',
  onRow,
  ...options
}: PairOptions): Promise<PairRow[]> {
  const named = only.split(',').flatMap((name) => defects.find(({ id }) => id === name) ?? []);
  const pairs =
    named.length === 2
      ? [named as [Defect, Defect]]
      : seededPairs(defects, count, options.seed).filter((pair) => idOf(pair).includes(only));
  const rows: PairRow[] = [];
  for (const [a, b] of pairs) {
    const row = await withCrashes(() => pairRow(a, b, options));
    rows.push(row);
    onRow?.(row, rows.length, pairs.length);
  }
  return rows;
}

/** Plays a pair. An unhandled error is a crash of the server under test, which runs in this process. */
export async function withCrashes(play: () => Promise<PairRow>): Promise<PairRow> {
  const crashes: unknown[] = [];
  const onCrash = (error: unknown) => void crashes.push(error);
  const events = ['uncaughtException', 'unhandledRejection'];
  for (const event of events) process.on(event, onCrash);
  try {
    const row = await play();
    const [first] = crashes;
    if (crashes.length === 0) return row;
    const words = first instanceof Error ? (first.stack ?? first.message) : String(first);
    return { ...row, result: 'crashed', found: `${words} (${row.found})` };
  } finally {
    for (const event of events) process.off(event, onCrash);
  }
}

function idOf([a, b]: readonly [Defect, Defect]): string {
  return `${a.id} + ${b.id}`;
}

/** Plays one pair and judges it. */
async function pairRow(a: Defect, b: Defect, options: Omit<PairOptions, 'count'>): Promise<PairRow> {
  const about = { id: idOf([a, b]), shape: a.shape ?? 'mock' };
  const made = composed(a, b);
  if ('because' in made) return { ...about, result: 'not composed', found: made.because };
  try {
    for (let attempt = 1; ; attempt++) {
      const row = { ...about, ...judgePair([a, b], await verdictsOfPair(made.variant, [a, b], options)) };
      if (row.result !== 'disturbed' || attempt === MAX_ATTEMPTS) return row;
    }
  } catch (error) {
    if (!(error instanceof NotSetUp)) throw error;
    return { ...about, result: 'not named', found: error.message };
  }
}

/** Plays the scenarios of the two checks that should find the defects. */
function verdictsOfPair(variant: AuthVariant, pair: readonly Defect[], options: Omit<PairOptions, 'count'>) {
  const needed = new Set(
    checks
      .filter(({ id }) => pair.some(({ caughtBy }) => caughtBy === id))
      .flatMap(({ scenarios: own }) => own),
  );
  return verdictsOn(
    variant,
    scenarios.filter(({ id }) => needed.has(id)),
    options,
  );
}

/** Says from the verdicts whether both defects of a pair were found, or why not. */
export function judgePair(
  pair: readonly [Defect, Defect],
  verdicts: readonly Verdict[],
): Pick<PairRow, 'result' | 'found'> {
  const own = pair.map(({ caughtBy }) => verdicts.find(({ check }) => check === caughtBy));
  const named = own.filter(
    (verdict) => verdict?.finding.outcome === 'fail' && verdict.finding.blame === 'auth server',
  );
  const words = own.map(
    (verdict, index) => `${pair[index]?.caughtBy}: ${verdict ? wordsOf(verdict) : 'not asked'}`,
  );
  if (named.length === 2) return { result: 'both named', found: words.join('; ') };
  if (own.some((verdict) => verdict && isDisturbed(verdict)))
    return { result: 'disturbed', found: words.join('; ') };
  const hidden = own.find((verdict) => !named.includes(verdict));
  const says = hidden !== undefined && ['inconclusive', 'not applicable'].includes(hidden.outcome);
  const hiding = pair.find((_, index) => named.some((verdict) => verdict === own[index]));
  const because = hiding && whyHidden(hiding.id);
  const found = words.join('; ');
  return says && because !== undefined
    ? { result: 'one hides the other', found: `${because} ${found}` }
    : { result: 'not named', found };
}

function wordsOf({ outcome, finding }: Verdict): string {
  return 'because' in finding ? `${outcome} (${finding.because})` : outcome;
}

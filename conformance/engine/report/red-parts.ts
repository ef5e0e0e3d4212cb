/** Says which parts of a conclusion make the run fail. */
import { isRed } from '../check/verdict.ts';
import type { ConclusionPart } from '../check/weight.ts';
import type { Report } from './schema/schema.ts';

/** Whether a part makes the run fail. Known failures and flaky checks do not. */
export function breaksRun(part: ConclusionPart, { summary, verdicts }: Report): boolean {
  const own = verdicts.filter((verdict) => verdict.part === part);
  const counting = own.filter(({ known, flaky }) => (known ?? flaky) === undefined);
  if (counting.some((verdict) => isRed(verdict, summary.demands))) return true;
  return part === 'interface' && summary.exitCode !== 0 && own.length === 0;
}

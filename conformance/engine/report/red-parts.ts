/** Says which verdicts, and which parts of a conclusion, make the run fail. */
import { isRed } from '../check/verdict.ts';
import type { ConclusionPart } from '../check/weight.ts';
import type { Report, ReportedVerdict } from './schema/schema.ts';

/** The verdicts that make the run fail. Known failures do not. */
export function redIn({ verdicts, summary }: Pick<Report, 'verdicts' | 'summary'>): ReportedVerdict[] {
  return verdicts.filter((verdict) => verdict.known === undefined && isRed(verdict, summary.demands));
}

/** Whether a part makes the run fail. */
export function breaksRun(part: ConclusionPart, report: Report): boolean {
  if (redIn(report).some((verdict) => verdict.part === part)) return true;
  const isJudged = report.verdicts.some((verdict) => verdict.part === part);
  return part === 'interface' && report.summary.exitCode !== 0 && !isJudged;
}

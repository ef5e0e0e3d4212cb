/** Tells GitHub Actions the verdicts of a run. Elsewhere it does nothing. */
import { existsSync, readFileSync } from 'node:fs';
import type { Report } from '../schema/schema.ts';
import { shownCauses } from '../terminal/console-causes.ts';
import { annotationsOf } from './annotations.ts';
import { annotate, type GitHub, isGitHub, onPage, setOutputs, summarize, thisGitHub } from './github.ts';
import { summaryOf } from './summary.ts';

export type FinishedRun = { report: Report; config: string; directory: string };

/** Writes annotations beside the file about the party, the summary, and the outputs. */
export function tellRun({ report, config, directory }: FinishedRun, github: GitHub = thisGitHub): void {
  if (!isGitHub(github)) return;
  const text = existsSync(config) ? readFileSync(config, 'utf8') : '';
  annotate(annotationsOf(report, { path: onPage(config, github), text }), github);
  summarize(summaryOf(report), github);
  const { conclusion, counts, parts } = report.summary;
  const outputs = {
    verdict: conclusion,
    interface: parts.interface.headline,
    safety: parts.safety.headline,
    report: directory,
    passed: counts.pass,
    failed: counts.fail,
    inconclusive: counts.inconclusive,
    warnings: counts.warning,
    causes: shownCauses(report).length,
  };
  setOutputs(outputs, github);
}

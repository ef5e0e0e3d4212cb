/** Tells GitHub Actions the verdicts of a run. Its causes become annotations beside the adapter file. */
import { existsSync, readFileSync } from 'node:fs';
import { isRed } from '../../check/verdict.ts';
import { readYaml } from '../../party/file/yaml-source.ts';
import { type ShownCause, shownCauses } from '../lookup.ts';
import type { Report } from '../schema/schema.ts';
import { evidenceOf } from '../words.ts';
import { type Annotation, type GitHub, isGitHub, onPage, tell, thisGitHub } from './github.ts';
import { summaryOf } from './summary.ts';

type AnnotatedFile = { path: string; text: string };

/** Limits the annotations: GitHub shows ten of each level for a step. */
const MAX_ANNOTATIONS = 10;

/** Returns the annotations of a report: its causes, or why there is no verdict. */
export function annotationsOf(report: Report, file: AnnotatedFile): Annotation[] {
  const lineOf = lineFinder(file.text);
  const causes = shownCauses(report).map((shown): Annotation => {
    const { cause, verdicts } = shown;
    const [{ check: first, clause }, ...others] = verdicts;
    const check = cause.check ?? first;
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    const advice = cause.advice === undefined ? '' : `\nTo do: ${cause.advice}`;
    const text = `${cause.cause}${advice}\n${clause}`;
    const line = lineOf(stepOf(shown, report));
    const isError = verdicts.some((verdict) => isRed(verdict, report.summary.demands));
    return { level: isError ? 'error' : 'warning', title: `${check}${more}`, text, file: file.path, line };
  });
  const problems = (report.notSetUp ?? []).map(({ problem, remedy }): Annotation => {
    const text = `${problem}\nTo do: ${remedy}`;
    return { level: 'error', title: 'Not set up', text, file: file.path, line: 1 };
  });
  const stale = report.staleBaseline.map(
    ({ check, because }): Annotation => ({ level: 'error', title: `Known failure: ${check}`, text: because }),
  );
  const all = [...causes, ...problems, ...stale];
  const isTold = report.summary.exitCode === 0 || all.some(({ level }) => level === 'error');
  const { conclusion, sentence } = report.summary;
  const rest: Annotation[] = isTold ? [] : [{ level: 'error', title: conclusion, text: sentence }];
  return [...rest, ...all].slice(0, MAX_ANNOTATIONS);
}

function stepOf({ verdicts }: ShownCause, { entries }: Report): string | undefined {
  const steps = new Map(entries.flatMap((entry) => (entry.kind === 'step' ? [[entry.seq, entry.step]] : [])));
  const named = verdicts.flatMap(({ finding }) => evidenceOf(finding));
  return named.map((seq) => steps.get(seq)).find((step) => step !== undefined);
}

/** Returns a function that finds the line of a step in an adapter file; its first key where it has none. */
function lineFinder(text: string): (step: string | undefined) => number {
  const source = readYaml(text);
  return (step) => {
    const path = step === undefined ? [] : ['steps', step];
    return (!Array.isArray(source) && source.locate({ path, at: 'key' })?.line) || 1;
  };
}

type FinishedRun = { report: Report; config: string; directory: string };

/** Writes annotations beside the file about the party, the summary, and the outputs. */
export function tellRun({ report, config, directory }: FinishedRun, github: GitHub = thisGitHub): void {
  if (!isGitHub(github)) return;
  const text = existsSync(config) ? readFileSync(config, 'utf8') : '';
  const annotations = annotationsOf(report, { path: onPage(config, github), text });
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
  tell({ annotations, summary: summaryOf(report), outputs }, github);
}

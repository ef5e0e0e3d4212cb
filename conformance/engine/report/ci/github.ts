/** Tells GitHub Actions something: annotations, a summary and outputs. Elsewhere it does nothing. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { refusalOf } from '#service/process/files/writing.ts';
import { EXIT, isRed } from '../../check/verdict.ts';
import { harmless, inOneLine } from '../../harmless.ts';
import type { AdapterFileError, PlacedProblem } from '../../party/file/problem.ts';
import { readYaml } from '../../party/file/yaml-source.ts';
import { type ShownCause, shownCauses } from '../lookup.ts';
import type { Report } from '../schema/schema.ts';
import { evidenceOf } from '../words.ts';
import { markdownOf, summaryOf } from './summary.ts';

export type GitHub = {
  /** Its variables say whether this is GitHub Actions, and name the files of the summary and the outputs. */
  env: Readonly<Record<string, string | undefined>>;
  say: (text: string) => void;
  warn: (text: string) => void;
};

const thisGitHub: GitHub = {
  env: process.env,
  say: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
};

/** Whether this is a step of GitHub Actions. */
const isGitHub = ({ env }: GitHub) => env.GITHUB_ACTIONS === 'true';

/** A remark that stands on the page of the build, and beside a line of a file if it names one. */
type Annotation = {
  level: 'error' | 'warning';
  title: string;
  text: string;
  file?: string | undefined;
  line?: number | undefined;
};

export function annotate(annotations: readonly Annotation[], { say }: GitHub): void {
  for (const { level, title, text, ...place } of annotations) {
    const named = Object.entries({ ...place, title }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${property(String(value))}`],
    );
    say(`::${level} ${named.join(',')}::${data(text)}\n`);
  }
}

/** Text that GitHub shows and does not obey, with the signs that its commands need encoded. */
const data = (text: string) =>
  harmless(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** What a step tells of itself: annotations, a summary in Markdown, and outputs for later steps. */
type Told = {
  annotations: readonly Annotation[];
  summary: string;
  outputs: Readonly<Record<string, string | number>>;
};

function tell({ annotations, summary, outputs }: Told, github: GitHub): void {
  annotate(annotations, github);
  append('GITHUB_STEP_SUMMARY', summary, github);
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${inOneLine(String(value))}\n`);
  append('GITHUB_OUTPUT', lines.join(''), github);
}

/** The path of a file as the page of the build knows it: from the root of the repository. */
function onPage(file: string, { env }: GitHub): string {
  return relative(env.GITHUB_WORKSPACE ?? '', resolve(file))
    .split(sep)
    .join('/');
}

/** Appends to the file that a variable names. The verdict counts without it, so a refusal only warns. */
function append(variable: string, text: string, { env, warn }: GitHub): void {
  const file = env[variable];
  if (file === undefined || file === '') return;
  try {
    appendFileSync(file, text);
  } catch (error) {
    warn(`Failed to write the file of ${variable}: ${refusalOf(error)}.\n`);
  }
}

type AnnotatedFile = { path: string; text: string };

/** Limits the annotations: GitHub shows ten of each level for a step. */
const MAX_ANNOTATIONS = 10;

/**
 * Returns the annotations of a report: its causes, why there is no verdict, and outdated known failures. A
 * red run without any error among them gets one with its conclusion.
 */
export function annotationsOf(report: Report, file: AnnotatedFile): Annotation[] {
  const source = readYaml(file.text);
  // The line of a step in the file; the first line where it has none, or the file is no YAML.
  const lineOf = (step: string | undefined): number => {
    const path = step === undefined ? [] : ['steps', step];
    return (!Array.isArray(source) && source.locate({ path, at: 'key' })?.line) || 1;
  };
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
  const isRedTold = report.summary.exitCode === 0 || all.some(({ level }) => level === 'error');
  const { conclusion, sentence } = report.summary;
  const red: Annotation[] = isRedTold ? [] : [{ level: 'error', title: conclusion, text: sentence }];
  return [...red, ...all].slice(0, MAX_ANNOTATIONS);
}

function stepOf({ verdicts }: ShownCause, { entries }: Report): string | undefined {
  const steps = new Map(entries.flatMap((entry) => (entry.kind === 'step' ? [[entry.seq, entry.step]] : [])));
  const named = verdicts.flatMap(({ finding }) => evidenceOf(finding));
  return named.map((seq) => steps.get(seq)).find((step) => step !== undefined);
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

type Stopped = { error: unknown; text: string; exitCode: number };

/** Writes an annotation for each problem of an adapter file, or else one with the error. */
export function tellStop({ error, text, exitCode }: Stopped, github = thisGitHub): void {
  if (!isGitHub(github)) return;
  const verdict = VERDICTS[exitCode] ?? 'broken off';
  const about = { level: 'error', title: verdict } as const;
  const problems = problemsIn(error).map(
    ({ file, line, text }): Annotation => ({ ...about, text, file: onPage(file, github), line }),
  );
  const annotations = problems.length > 0 ? problems : [{ ...about, text }];
  const summary = `## No verdict\n\n${text.split('\n').map(markdownOf).join('<br>\n')}\n`;
  tell({ annotations, summary, outputs: { verdict } }, github);
}

const VERDICTS: Readonly<Record<number, string>> = {
  [EXIT.notSetUp]: 'not set up',
  [EXIT.harnessFault]: 'a fault of the kit',
};

function problemsIn(error: unknown): readonly PlacedProblem[] {
  const { places, cause } = Object(error) as Partial<AdapterFileError>;
  return places ?? (cause === undefined ? [] : problemsIn(cause));
}

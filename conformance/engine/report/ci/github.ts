/** Tells GitHub Actions something: annotations, a summary and outputs. Elsewhere it does nothing. */
import { appendFileSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { refusalOf } from '#service/process/files/writing.ts';
import { EXIT } from '../../check/verdict.ts';
import { harmless, inOneLine } from '../../harmless.ts';
import type { AdapterFileError, PlacedProblem } from '../../party/file/problem.ts';

export type GitHub = {
  /** Its variables say whether this is GitHub Actions, and name the files of the summary and the outputs. */
  env: Readonly<Record<string, string | undefined>>;
  say: (text: string) => void;
  warn: (text: string) => void;
};

export const thisGitHub: GitHub = {
  env: process.env,
  say: (text) => process.stdout.write(text),
  warn: (text) => process.stderr.write(text),
};

/** Whether this is a step of GitHub Actions. */
export const isGitHub = ({ env }: GitHub) => env.GITHUB_ACTIONS === 'true';

/** A remark that stands on the page of the build, and beside a line of a file if it names one. */
export type Annotation = {
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

const data = (text: string) =>
  harmless(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** What a step tells of itself: annotations, a summary in Markdown, and outputs for later steps. */
type Told = {
  annotations: readonly Annotation[];
  summary: string;
  outputs: Readonly<Record<string, string | number>>;
};

export function tell({ annotations, summary, outputs }: Told, github: GitHub): void {
  annotate(annotations, github);
  append('GITHUB_STEP_SUMMARY', summary, github);
  const lines = Object.entries(outputs).map(([name, value]) => `${name}=${inOneLine(String(value))}\n`);
  append('GITHUB_OUTPUT', lines.join(''), github);
}

/** The path of a file as the page of the build knows it: from the root of the repository. */
export function onPage(file: string, { env }: GitHub): string {
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

/** A text as one line of Markdown that shows it as it is: whatever would be mark-up becomes an entity. */
export function markdownOf(text: string): string {
  return harmless(text)
    .replace(/\s+/g, ' ')
    .replace(/[&<>\\`*_[\]|~#@]/g, (char) => `&#${char.charCodeAt(0)};`);
}

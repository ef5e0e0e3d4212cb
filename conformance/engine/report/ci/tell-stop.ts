/** Tells GitHub Actions why a command of the kit ended without verdicts. Elsewhere it does nothing. */
import { EXIT } from '../../check/verdict.ts';
import type { AdapterFileError, PlacedProblem } from '../../party/file/problem.ts';
import { type Annotation, annotate, isGitHub, onPage, setOutputs, summarize, thisGitHub } from './github.ts';
import { markdownOf } from './markdown.ts';

/** How a command ended. */
export type Stopped = {
  error: unknown;
  /** What the terminal says of the error. */
  text: string;
  exitCode: number;
};

/** Writes an annotation for each problem of an adapter file, or else one with the error. */
export function tellStop({ error, text, exitCode }: Stopped, github = thisGitHub): void {
  if (!isGitHub(github)) return;
  const verdict = VERDICTS[exitCode] ?? 'broken off';
  const about = { level: 'error', title: verdict } as const;
  const problems = problemsIn(error).map(
    ({ file, line, text }): Annotation => ({ ...about, text, file: onPage(file, github), line }),
  );
  annotate(problems.length > 0 ? problems : [{ ...about, text }], github);
  const lines = text.split('\n').map(markdownOf);
  summarize(`## No verdict\n\n${lines.join('<br>\n')}\n`, github);
  setOutputs({ verdict }, github);
}

/** What stands in place of a verdict, by the exit code. */
const VERDICTS: Readonly<Record<number, string>> = {
  [EXIT.notSetUp]: 'not set up',
  [EXIT.harnessFault]: 'a fault of the kit',
};

/** The problems of an adapter file, where the error or its cause is about one. */
function problemsIn(error: unknown): readonly PlacedProblem[] {
  const { places, cause } = Object(error) as Partial<AdapterFileError>;
  return places ?? (cause === undefined ? [] : problemsIn(cause));
}

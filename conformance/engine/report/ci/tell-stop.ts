/** Tells GitHub Actions why a command of the kit ended without verdicts. Elsewhere it does nothing. */
import { EXIT } from '../../check/verdict.ts';
import type { AdapterFileError, PlacedProblem } from '../../party/file/problem.ts';
import { type Annotation, annotate, isGitHub, onPage, setOutputs, summarize, thisGitHub } from './github.ts';
import { markdownOf } from './markdown.ts';

export type Stopped = { error: unknown; text: string; exitCode: number };

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

const VERDICTS: Readonly<Record<number, string>> = {
  [EXIT.notSetUp]: 'not set up',
  [EXIT.harnessFault]: 'a fault of the kit',
};

function problemsIn(error: unknown): readonly PlacedProblem[] {
  const { places, cause } = Object(error) as Partial<AdapterFileError>;
  return places ?? (cause === undefined ? [] : problemsIn(cause));
}

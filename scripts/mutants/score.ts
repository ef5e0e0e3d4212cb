/** The score of a room: how many mutants its tests notice, and which they do not. */
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

/** The scores in the documents, as `--json` writes them. */
export const MUTANT_SCORE_FILE = 'scripts/mutants/score.json';

const unnoticedSchema = z.object({
  file: z.string(),
  line: z.string(),
  code: z.string(),
  replacement: z.string(),
  /** Why no test can notice the mutant. */
  because: z.string().optional(),
});
export type Unnoticed = z.output<typeof unnoticedSchema>;

const roomScoreSchema = z.object({
  seed: z.int(),
  /** Number of mutants of the room. */
  mutants: z.int(),
  /** Number of mutants that were drawn and run. */
  tested: z.int(),
  killed: z.int(),
  /** Number of mutants that never ended, which a test run notices. */
  timedOut: z.int(),
  equivalent: z.int(),
  /** Percentage of the noticed mutants among those tested that are not equivalent. */
  score: z.number(),
  unnoticed: z.array(unnoticedSchema),
});
export type RoomScore = z.output<typeof roomScoreSchema>;

const equivalentSchema = z.strictObject({
  line: z.string(),
  code: z.string().optional(),
  replacement: z.string().optional(),
  because: z.string(),
});
/** A mutant that no test can notice. Absent are the code and the replacement that may be any. */
export type Equivalent = z.output<typeof equivalentSchema> & { readonly file: string };

const scoresSchema = z.record(z.string(), roomScoreSchema);
export type Scores = z.output<typeof scoresSchema>;

type Position = { readonly line: number; readonly column: number };

/** Where a mutant is, as Stryker tells it, and what stands there instead. Lines and columns count from 1. */
export type MutantPlace = {
  readonly fileName: string;
  readonly location: { readonly start: Position; readonly end: Position };
  readonly replacement: string;
};
export type MutantResult = MutantPlace & { readonly status: string };

/** Reads the scores by room from a file. An empty file has none. */
export function readScores(text: string): Scores {
  return text === '' ? {} : scoresSchema.parse(JSON.parse(text));
}

/** Reads the equivalent mutants, each with the reason. */
export function readEquivalents(): Equivalent[] {
  const text = readFileSync(new URL('equivalent.yaml', import.meta.url), 'utf8');
  const byFile = z.record(z.string(), z.array(equivalentSchema)).parse(parse(text));
  return Object.entries(byFile).flatMap(([file, mutants]) => mutants.map((mutant) => ({ file, ...mutant })));
}

/** Adds up the results of a run. `root` is the directory of the project. */
export function scoreOf(
  results: readonly MutantResult[],
  { seed, root, equivalents }: { seed: number; root: string; equivalents: readonly Equivalent[] },
): RoomScore {
  const count = (...statuses: string[]) => results.filter(({ status }) => statuses.includes(status)).length;
  const unnoticed = results
    .filter(({ status }) => ['Survived', 'NoCoverage'].includes(status))
    .map((result) => describe(result, root, equivalents))
    .sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
  const killed = count('Killed');
  const timedOut = count('Timeout');
  const tested = killed + timedOut + unnoticed.length;
  const equivalent = unnoticed.filter(({ because }) => because !== undefined).length;
  const judged = tested - equivalent;
  const score = judged === 0 ? 100 : Math.floor(((killed + timedOut) / judged) * 1_000) / 10;
  return {
    seed,
    mutants: results.length - count('Ignored'),
    tested,
    killed,
    timedOut,
    equivalent,
    score,
    unnoticed,
  };
}

function describe(
  { fileName, location, replacement }: MutantResult,
  root: string,
  equivalents: readonly Equivalent[],
): Unnoticed {
  const file = relative(root, fileName).split(sep).join('/');
  const lines = readFileSync(join(root, file), 'utf8').split('\n');
  const { start, end } = location;
  const line = (lines[start.line - 1] ?? '').trim();
  const covered = lines.slice(start.line - 1, end.line);
  covered.push((covered.pop() ?? '').slice(0, end.column - 1));
  covered.unshift((covered.shift() ?? '').slice(start.column - 1));
  const found = { file, line, code: fold(covered.join(' ')), replacement: fold(replacement) };
  const known = equivalents.find((one) => isSame(one, found));
  return known ? { ...found, because: known.because } : found;
}

function isSame(known: Equivalent, found: Unnoticed): boolean {
  return (
    known.file === found.file &&
    known.line === found.line &&
    (known.code ?? found.code) === found.code &&
    (known.replacement ?? found.replacement) === found.replacement
  );
}

function fold(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function textOf({ file, line, code, replacement }: Unnoticed): string {
  return [file, line, code, replacement].join('\n');
}

/** Turns what the schema finds wrong in an adapter file into {@link Problem}s, sentences for its author. */
import { z } from 'zod';
import { givenRow, isSecret } from './fields.ts';
import { type Path, type Problem, shown } from './problem.ts';

type Issue = z.core.$ZodIssue;

type Read = { schema: z.core.$ZodType; data: unknown };

/** Returns one problem for each mistake. The sentence has the wrong value, unless it may be a secret. */
export function problemsOf(issues: readonly Issue[], read: Read): Problem[] {
  return issues.flatMap((issue) => problemsOfIssue(issue, [], read));
}

function problemsOfIssue(issue: Issue, above: Path, read: Read): Problem[] {
  const path = [...above, ...issue.path];
  switch (issue.code) {
    case 'unrecognized_keys': {
      const sentences = issue.message.split('\n');
      return issue.keys.map((key, index) => ({
        path: [...path, key],
        at: 'key',
        sentence: sentences[index] ?? issue.message,
      }));
    }
    case 'invalid_key':
      return [{ path, at: 'key', sentence: `${issue.issues[0]?.message ?? issue.message}.` }];
    case 'invalid_union':
      return unionProblems(issue, path, read);
    default:
      return [{ path, at: 'value', sentence: sentenceOf(issue, path, read) }];
  }
}

/**
 * Where a value may have several forms, reports the problems of the nearest form, which was probably meant.
 */
function unionProblems(issue: Issue & { code: 'invalid_union' }, path: Path, read: Read): Problem[] {
  const [meant] = [...issue.errors].sort((a, b) => distanceOf(a) - distanceOf(b));
  return meant
    ? meant.flatMap((inner) => problemsOfIssue(inner, path, read))
    : [{ path, at: 'value', sentence: sentenceOf(issue, path, read) }];
}

/** How far a value is from a form: the number of its issues. A value of another type is the farthest. */
function distanceOf(issues: readonly Issue[]): number {
  return issues.reduce((sum, issue) => {
    if (issue.code === 'unrecognized_keys') return sum + issue.keys.length;
    return sum + (issue.code === 'invalid_type' && issue.path.length === 0 ? 100 : 1);
  }, 0);
}

function sentenceOf(issue: Issue, path: Path, { schema, data }: Read): string {
  if (issue.code === 'custom' && issue.params?.complete === true) return issue.message;
  const value = at(data, path);
  if (value === undefined) return `is missing; it ${issue.message}.`;
  const given = hasSecret(schema, path) ? '' : `; given is ${shown(value)}`;
  const scalar = typeof value !== 'object' || value === null;
  if (issue.code !== 'invalid_type' || issue.expected !== 'string' || !scalar)
    return `${issue.message}${given}.`;
  return `${issue.message}${given}. Put it in quotes.`;
}

/** Whether the row at this path is a secret, or stands in one. Of several forms, one may be it. */
function hasSecret(row: z.core.$ZodType | undefined, path: Path): boolean {
  if (row === undefined) return false;
  if (isSecret(row)) return true;
  const given = givenRow(row);
  if (given) return hasSecret(given, path);
  if (row instanceof z.ZodUnion) return row.options.some((form) => hasSecret(form, path));
  if (row instanceof z.ZodPipe) return hasSecret(row.in, path);
  const [key, ...below] = path;
  if (row instanceof z.ZodObject) return hasSecret(row.shape[String(key)], below);
  if (row instanceof z.ZodRecord) return hasSecret(row.valueType, below);
  return row instanceof z.ZodArray && hasSecret(row.element, below);
}

function at(data: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    data,
  );
}

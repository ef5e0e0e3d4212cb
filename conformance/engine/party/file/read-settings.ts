/** Reads the settings of a party's file, and reports everything that is wrong in one error. */
import { dirname, resolve } from 'node:path';
import type { z } from 'zod';
import { isObject } from '#protocol/wire/envelope.ts';
import { problemsOf } from './describe-issue.ts';
import type { Env } from './env.ts';
import type { ReadEnv } from './fields.ts';
import { adapterFileError, type Problem } from './problem.ts';
import { readText } from './read-text.ts';
import { readYaml, type Source } from './yaml-source.ts';

type Section = Record<string, unknown>;

type Reading<Schema extends z.ZodType> = {
  env: Env;
  schema: (readEnv: ReadEnv) => Schema;
  /** Problems that the schema cannot express. `settings` is undefined where the schema finds some too. */
  problems?: (data: Section, settings: z.output<Schema> | undefined) => readonly Problem[];
};

/** Reads YAML or JSON. @throws AdapterFileError that says what no reader understands */
export function readSource(file: string): Source {
  const source = readYaml(readText(file));
  if (Array.isArray(source)) throw adapterFileError(file, source, () => undefined);
  return source;
}

/**
 * Returns the settings, and the secrets that they take from the environment.
 * @throws AdapterFileError that lists every problem with its place and what would be valid
 */
export function settingsOf<Schema extends z.ZodType>(
  file: string,
  { data, locate }: Source,
  { env, schema, problems = () => [] }: Reading<Schema>,
): { settings: z.output<Schema>; secrets: Set<string> } {
  if (!isObject(data)) {
    const what = data === null ? 'is empty' : 'must be a section of keys and values';
    throw adapterFileError(file, [{ path: [], at: 'value', sentence: `The file ${what}.` }], locate);
  }
  const secrets = new Set<string>();
  const rows = schema((name, secret) => {
    const value = env[name];
    if (secret && value !== undefined && value !== '') secrets.add(value);
    return value;
  });
  const parsed = rows.safeParse(data);
  const found = [...problems(data, parsed.data)];
  if (!parsed.success) found.push(...problemsOf(parsed.error.issues, { schema: rows, data }));
  if (!parsed.success || found.length > 0) throw adapterFileError(file, withoutRepeats(found), locate);
  return { settings: parsed.data, secrets };
}

/** Keeps one of several equal problems at one place: a template that occurs twice there is one mistake. */
function withoutRepeats(problems: readonly Problem[]): Problem[] {
  const keyOf = ({ path, sentence }: Problem) => JSON.stringify([path.map(String), sentence]);
  return [...new Map(problems.map((problem) => [keyOf(problem), problem])).values()];
}

/** Reports a password that is written in the file, unless the file says that it protects nothing. */
export function passwordProblems({ internal }: Section): Problem[] {
  if (!isObject(internal) || typeof internal.password !== 'string' || internal.insecureLiteral === true)
    return [];
  return [
    {
      ...{ path: ['internal', 'password'], at: 'key' },
      sentence:
        'stands in the file itself. Files are copied, committed and attached to reports, and whoever reads this one could open sessions at the EHR server. Please name an environment variable: { env: EHR_INTERNAL_PASSWORD }. If it protects nothing, add insecureLiteral: true beside it.',
    },
  ];
}

/** A program with its working directory, which the file states relative to its own folder. */
export const inFolderOf = <Program extends { cwd?: string | undefined }>(
  file: string,
  program: Program,
): Program => ({ ...program, cwd: resolve(dirname(resolve(file)), program.cwd ?? '.') });

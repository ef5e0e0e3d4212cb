/** Reads the settings of a party's file, and tells its author in one error all that is wrong. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { isObject, membersOf } from '#protocol/wire/envelope.ts';
import { commandLine } from '#service/process/command-line/program-name.ts';
import { otherThanText } from '#service/process/files/file-kind.ts';
import { loadTls } from '#service/tls/tls-files.ts';
import type { CertificatePair } from '../../wire/tls-side.ts';
import { type Env, givenRow, isSecret, type ReadEnv } from './fields.ts';
import {
  AdapterFileError,
  adapterFileError,
  type Path,
  type Problem,
  type Section,
  valueInWords,
} from './problem.ts';
import { readYaml, type Source } from './yaml-source.ts';

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

/** Returns the settings, and the secrets among them. @throws AdapterFileError that lists every problem */
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

/** Problems of the sections that the files about all servers have. */
export const serverFileProblems = (data: Section): Problem[] => [
  ...passwordProblems(data),
  ...choiceProblems(
    membersOf(membersOf(data.server).start).ready,
    ['server', 'start', 'ready'],
    ['url', 'line'],
  ),
];

/** Reports a password that is written in the file, unless the file says that it protects nothing. */
function passwordProblems({ internal }: Section): Problem[] {
  if (!isObject(internal) || typeof internal.password !== 'string' || internal.insecureLiteral === true)
    return [];
  return [
    {
      path: ['internal', 'password'],
      at: 'key',
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

/** Reports a key that another one excludes and, where one is required, a section without any of them. */
export function choiceProblems(
  value: unknown,
  path: Path,
  keys: readonly string[],
  isRequired = true,
): Problem[] {
  if (!isObject(value)) return [];
  const [first, second] = keys.filter((key) => value[key] !== undefined && value[key] !== false);
  if (second !== undefined) {
    const sentence = `cannot stand beside ${first}. Please keep one of them.`;
    return [{ path: [...path, second], at: 'key', sentence }];
  }
  if (first !== undefined || !isRequired) return [];
  return [{ path, at: 'key', sentence: `lacks one of ${keys.join(', ')}.` }];
}

/** Makes the paths of certificates absolute: the file states them relative to its own folder. */
export function filesInFolderOf<T extends object>(file: string, tls: T): T {
  const resolved = Object.entries(tls).map(([key, value]) => [
    key,
    typeof value === 'string'
      ? resolve(dirname(resolve(file)), value)
      : value && filesInFolderOf(file, value),
  ]);
  return Object.fromEntries(resolved) as T;
}

/** Reads a certificate, which must be valid `now` (ms), and its key. SettingsError names file and key. */
export function readPair(
  { cert, key }: { cert: string; key: string },
  setting: string,
  now: number,
): CertificatePair {
  const named = (path: string, name: string) => ({ path, setting: `${setting}.${name}` });
  // `loadTls` always returns a certificate and a key where a pair is named; its type does not say so.
  return loadTls({ pair: { cert: named(cert, 'cert'), key: named(key, 'key') } }, now).pem as CertificatePair;
}

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

/** Of a value with several forms, reports the problems of the nearest one, which was probably meant. */
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
  const value = valueAtPath(data, path);
  if (value === undefined) return `is missing; it ${issue.message}.`;
  const given = hasSecret(schema, path) ? '' : `; given is ${valueInWords(value)}`;
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

function valueAtPath(data: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    data,
  );
}

/** Limits the size of an adapter file. Real ones have some hundred lines. */
const MAX_FILE_BYTES = 1024 * 1024;

export function readText(file: string): string {
  try {
    const other = otherThanText(file);
    if (other)
      throw new AdapterFileError(
        `Failed to read the adapter file ${file}: it is ${other}. Please name a text file.`,
      );
    if (statSync(file).size > MAX_FILE_BYTES)
      throw new AdapterFileError(`Failed to use the adapter file ${file}: it is larger than 1 MiB.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file));
  } catch (cause) {
    if (cause instanceof AdapterFileError) throw cause;
    throw new AdapterFileError(`Failed to read the adapter file ${file}: ${whyUnreadable(cause)}`, { cause });
  }
}

function whyUnreadable(cause: unknown): string {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'ENOENT')
    return `there is no such file. To write one: ${commandLine('conformance', 'init FILE')}`;
  if (code === 'EISDIR') return 'it is a directory.';
  if (code === 'EACCES') return 'this user may not read it.';
  if (cause instanceof TypeError) return 'it is not UTF-8 text.';
  return cause instanceof Error ? cause.message : String(cause);
}

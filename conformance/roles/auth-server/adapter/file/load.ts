/** Loads an adapter file (YAML, JSON or a module) and reports everything that is wrong with it at once. */

import { dirname, extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '#protocol/wire/envelope.ts';
import { stepNames } from '../../../../engine/journal/entry.ts';
import { type Given, problemsOf } from '../../../../engine/party/file/describe-issue.ts';
import type { Env } from '../../../../engine/party/file/env.ts';
import {
  AdapterFileError,
  adapterFileError,
  type Locate,
  type Problem,
} from '../../../../engine/party/file/problem.ts';
import { readText } from '../../../../engine/party/file/read-text.ts';
import { readYaml } from '../../../../engine/party/file/yaml-source.ts';
import type { Adapter, AdapterParts } from '../adapter.ts';
import { crossProblems } from './cross-checks.ts';
import { type AdapterSettings, adapterSchema, CLIENT_STEPS } from './schema/schema.ts';
import { resolvedFiles } from './tls-files.ts';

/** A module's own way of driving the server, built around the adapter that its settings describe. */
export type WrapAdapter = (declared: Adapter, parts: AdapterParts) => Adapter | Promise<Adapter>;

export type LoadedAdapter = {
  /** As the user named it. */
  file: string;
  settings: AdapterSettings;
  /** Values that must not be shown: the internal password, and secrets taken from the environment. */
  secrets: readonly string[];
  wrap: WrapAdapter | undefined;
};

const MODULES = ['.ts', '.mts', '.js', '.mjs'];

/**
 * Reads an adapter file. A module exports `adapter` (or `default`): an object of the same shape as the file,
 * or a function ({@link WrapAdapter}) beside an export `settings` of that shape.
 * @param what.watched a person drives everything, so only `server`, `internal` and `ehr` are required
 * @throws AdapterFileError that lists every problem with file, line and column (a module has no lines), the
 *   given value and what would be valid
 */
export async function loadAdapter(
  file: string,
  env: Env,
  { watched = false }: { watched?: boolean } = {},
): Promise<LoadedAdapter> {
  const kind = extname(file).toLowerCase();
  const text = readText(file);
  if (MODULES.includes(kind)) {
    const { data, wrap } = await readModule(file);
    return settle(file, { data, written: () => undefined, locate: () => undefined }, { env, wrap, watched });
  }
  if (!['.yaml', '.yml', '.json'].includes(kind)) {
    const endings = `.yaml, .yml, .json, ${MODULES.join(', ')}`;
    throw new AdapterFileError(`Failed to use the adapter file ${file}: its name must end in ${endings}.`);
  }
  const source = readYaml(text);
  if (Array.isArray(source)) throw adapterFileError(file, source, () => undefined);
  return settle(file, source, { env, wrap: undefined, watched });
}

function settle(
  file: string,
  written: Given & { locate: Locate; surprises?: readonly Problem[] },
  { env, wrap, watched }: { env: Env; wrap: WrapAdapter | undefined; watched: boolean },
): LoadedAdapter {
  const source = watched ? { ...written, data: forWatching(written.data) } : written;
  const secrets = new Set<string>();
  const schema = adapterSchema((name, secret) => {
    const value = env[name];
    if (secret && value !== undefined && value !== '') secrets.add(value);
    return value;
  });
  if (!isObject(source.data)) {
    const what = source.data === null ? 'is empty' : 'must be a section of keys and values';
    const problem = { path: [], at: 'value', sentence: `The file ${what}.` } as const;
    throw adapterFileError(file, [problem], source.locate);
  }
  const parsed = schema.safeParse(source.data);
  const problems: Problem[] = crossProblems(source.data, { drivenOtherwise: watched || wrap !== undefined });
  problems.push(...(parsed.success ? (source.surprises ?? []) : problemsOf(parsed.error.issues, source)));
  if (problems.length > 0) throw adapterFileError(file, withoutRepeats(problems), source.locate);
  const settings = parsed.data as AdapterSettings;
  secrets.add(settings.internal.password);
  return { file, settings: withFolder(settings, dirname(resolve(file))), secrets: [...secrets], wrap };
}

/**
 * Replaces what a watched session does not need: whom the kit signs in, and how it does each step. Steps that
 * the server does not have stay absent, and misspelt names stay for the schema to tell.
 */
function forWatching(data: unknown): unknown {
  if (!isObject(data)) return data;
  const given = isObject(data.steps) ? data.steps : {};
  const isAbsent = (step: unknown) => isObject(step) && 'absent' in step;
  const unknown = Object.entries(given).filter(([name]) => !stepNames.some((each) => each === name));
  const steps = CLIENT_STEPS.map((name) => [
    name,
    isAbsent(given[name]) ? given[name] : { manual: 'Do it in your own app.' },
  ]);
  return {
    name: 'The server under test',
    ...data,
    people: { phones: '7999555####' },
    steps: Object.fromEntries([...unknown, ...steps]),
  };
}

/** Merges problems of one place: a template that occurs twice there is one mistake. */
function withoutRepeats(problems: readonly Problem[]): Problem[] {
  const keyOf = ({ path, sentence }: Problem) => JSON.stringify([path.map(String), sentence]);
  return [...new Map(problems.map((problem) => [keyOf(problem), problem])).values()];
}

/** Takes the file's folder as working directory, unless the file names one, and for certificates. */
function withFolder(settings: AdapterSettings, folder: string): AdapterSettings {
  const { server, ehr } = settings;
  const { start } = server;
  return {
    ...settings,
    server: { ...server, ...(start && { start: { ...start, cwd: resolve(folder, start.cwd ?? '.') } }) },
    ehr: { ...ehr, ...(ehr.tls && { tls: resolvedFiles(ehr.tls, (path) => resolve(folder, path)) }) },
  };
}

/** Node reads TypeScript by itself from 22.18 on; an older one needs tsx. */
async function importModule(address: string): Promise<Record<string, unknown>> {
  try {
    return await import(address);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw cause;
    const tsx = await import('tsx/esm/api').catch(() => {
      const remedy =
        'Please write it in JavaScript (.mjs), use Node 22.18 or newer, or install tsx beside this package.';
      throw new Error(`this Node reads no TypeScript. ${remedy}`, { cause });
    });
    return tsx.tsImport(address, address);
  }
}

async function readModule(file: string): Promise<{ data: unknown; wrap: WrapAdapter | undefined }> {
  let module: Record<string, unknown>;
  try {
    module = await importModule(pathToFileURL(resolve(file)).href);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AdapterFileError(`Failed to load the adapter module ${file}: ${why}`, { cause });
  }
  const exported = module.adapter ?? module.default;
  if (typeof exported === 'function') {
    if (module.settings === undefined) {
      throw new AdapterFileError(
        `Failed to use the adapter module ${file}: it exports a function and no settings. Please export settings too: an object with name, server, internal, ehr and people, of the same shape as the YAML file.`,
      );
    }
    return { data: module.settings, wrap: exported as WrapAdapter };
  }
  if (!isObject(exported)) {
    throw new AdapterFileError(
      `Failed to use the adapter module ${file}: it exports neither "adapter" nor "default" as an object or a function. Please export one of them.`,
    );
  }
  return { data: exported, wrap: undefined };
}

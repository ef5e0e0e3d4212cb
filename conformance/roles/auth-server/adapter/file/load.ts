/** Loads an adapter file (YAML, JSON or a module), and reports everything that is wrong in one error. */
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '#protocol/wire/envelope.ts';
import { loadTls } from '#service/tls/tls-files.ts';
import type { Env } from '../../../../engine/party/file/fields.ts';
import { AdapterFileError } from '../../../../engine/party/file/problem.ts';
import {
  filesInFolderOf,
  inFolderOf,
  readPair,
  readSource,
  readText,
  settingsOf,
} from '../../../../engine/party/file/read-settings.ts';
import type { Source } from '../../../../engine/party/file/yaml-source.ts';
import { choosePorts, withPorts } from '../../../../engine/party/process/server-process.ts';
import type { ServerTls } from '../../../../engine/wire/tls-side.ts';
import type { Adapter, AdapterParts } from '../adapter.ts';
import { crossProblems } from './cross-checks.ts';
import { type AdapterSettings, adapterSchema } from './schema/schema.ts';

/** A module's own way to drive the server: replaces steps of the adapter that its settings describe. */
export type WrapAdapter = (declared: Adapter, parts: AdapterParts) => Adapter | Promise<Adapter>;

export type LoadedAdapter = {
  file: string;
  settings: AdapterSettings;
  /** Values that must not be shown: the internal password, and secrets taken from the environment. */
  secrets: readonly string[];
  wrap: WrapAdapter | undefined;
};

type TlsSettings = NonNullable<AdapterSettings['ehr']['tls']>;

const MODULES = ['.ts', '.mts', '.js', '.mjs'];

/**
 * Reads an adapter file. A module exports `adapter` or `default`: settings, or a {@link WrapAdapter} beside
 * `settings`. AdapterFileError lists every problem with its place.
 */
export async function loadAdapter(file: string, env: Env): Promise<LoadedAdapter> {
  const kind = extname(file).toLowerCase();
  // Comes first, because it says in words why a file cannot be read.
  readText(file);
  if (MODULES.includes(kind)) {
    const { data, wrap } = await readModule(file);
    return loadedFrom(file, { data, locate: () => undefined }, env, wrap);
  }
  if (!['.yaml', '.yml', '.json'].includes(kind)) {
    const endings = `.yaml, .yml, .json, ${MODULES.join(', ')}`;
    throw new AdapterFileError(`Failed to use the adapter file ${file}: its name must end in ${endings}.`);
  }
  return loadedFrom(file, readSource(file), env);
}

/** Replaces every `${ports.NAME}` by its number. A port that is 0 becomes a free one. */
export async function fillPorts(settings: AdapterSettings): Promise<AdapterSettings> {
  const ports = await choosePorts(settings.ports);
  // Only these sections have templates. In others, such as a password, `${ports.NAME}` is ordinary text.
  const { server, steps, otp } = settings;
  return {
    ...settings,
    ports,
    server: withPorts(server, ports),
    steps: withPorts(steps, ports),
    ...(otp && { otp: { ...otp, outbox: withPorts(otp.outbox, ports) } }),
  };
}

/** Reads all certificates, which must be valid `now` (ms). SettingsError names file and key. */
export function readTlsFiles(tls: TlsSettings, now: number): ServerTls {
  const { clientCa, otherName, foreign } = tls;
  const ca = clientCa === undefined ? undefined : { path: clientCa, setting: 'ehr.tls.clientCa' };
  return {
    ...readPair(tls, 'ehr.tls', now),
    clientCa: ca && loadTls({ ca }, now).pem.ca,
    otherName: otherName && readPair(otherName, 'ehr.tls.otherName', now),
    foreign: foreign && readPair(foreign, 'ehr.tls.foreign', now),
  };
}

function loadedFrom(file: string, source: Source, env: Env, wrap?: WrapAdapter): LoadedAdapter {
  const { settings, secrets } = settingsOf(file, source, {
    env,
    schema: adapterSchema,
    problems: (data) => crossProblems(data, { drivenOtherwise: wrap !== undefined }),
  });
  secrets.add(settings.internal.password);
  return { file, settings: withAbsolutePaths(settings, file), secrets: [...secrets], wrap };
}

/** Makes paths absolute: they are relative to the folder of the adapter file. */
function withAbsolutePaths(settings: AdapterSettings, file: string): AdapterSettings {
  const { server, ehr } = settings;
  const { start } = server;
  return {
    ...settings,
    server: { ...server, ...(start && { start: inFolderOf(file, start) }) },
    ehr: { ...ehr, ...(ehr.tls && { tls: filesInFolderOf(file, ehr.tls) }) },
  };
}

/** Imports a module. Node reads TypeScript by itself from 22.18 on; an older Node needs the package tsx. */
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

/** Adapter files for tests: a small valid one, variants of it, and their directory. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { isObject } from '#protocol/wire/envelope.ts';
import { type LoadedAdapter, loadAdapter } from '../file/load.ts';

/** A directory that is removed with the test. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'adapter-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Writes a file that is removed with the test, and returns its path. */
export function writeTemporary(name: string, content: string | Uint8Array): string {
  const file = join(temporaryDirectory(), name);
  writeFileSync(file, content);
  return file;
}

type Tree = { [key: string]: unknown };

/** A plain REST server with fixed codes, as small as a file can be. */
export const smallest: Tree = {
  name: 'A server',
  server: { url: 'http://127.0.0.1:9' },
  internal: { user: 'kit', password: { env: 'PASSWORD' } },
  ehr: { configuredIn: 'EHR_URL in its settings' },
  otp: { fixed: { code: '1234' } },
  people: { phones: '7999555####' },
  steps: {
    requestOtp: { method: 'POST', path: '/otp', json: { phone: '${phone}' } },
    confirmOtp: {
      method: 'POST',
      path: '/login',
      json: { phone: '${phone}', code: '${code}', sign: '${userSign?}' },
      extract: { user: '/user', token: '/token' },
    },
    exchangeToken: {
      method: 'POST',
      path: '/exchange',
      headers: { Authorization: 'Bearer ${token}' },
      extract: { exchangeToken: '/exchangeToken' },
    },
    reportLink: { absent: 'the server learns of links otherwise' },
    logout: { method: 'POST', path: '/logout', headers: { Authorization: 'Bearer ${token}' } },
    deleteUser: { absent: 'users are never deleted' },
  },
};

export const PASSWORD = 'the internal pässword';

/** The smallest file with changes merged section by section; undefined removes a key. */
export function variant(changes: Tree): Tree {
  return merged(smallest, changes);
}

/** Loads a variant of the smallest file. */
export function loadVariant(changes: Tree = {}, env: Record<string, string> = {}): Promise<LoadedAdapter> {
  const file = writeTemporary('adapter.json', JSON.stringify(variant(changes)));
  return loadAdapter(file, { PASSWORD, ...env });
}

/** The problems of a variant, each as `line:column path: sentence` without the name of the file. */
export async function problemsOf(changes: Tree, env: Record<string, string> = {}): Promise<string[]> {
  const file = writeTemporary('adapter.json', JSON.stringify(variant(changes), null, 2));
  return problemsOfFile(file, { PASSWORD, ...env });
}

/** The problems of a file, in the form of {@link problemsOf}; none when it can be used. */
export async function problemsOfFile(file: string, env: Record<string, string> = {}): Promise<string[]> {
  try {
    await loadAdapter(file, env);
    return [];
  } catch (error) {
    const [, ...lines] = (error as Error).message.split('\n');
    return lines.map((line) => line.replace(`${file}:`, ''));
  }
}

function merged(base: Tree, changes: Tree): Tree {
  const result: Tree = { ...base };
  for (const [key, change] of Object.entries(changes)) {
    const old = result[key];
    if (change === undefined) delete result[key];
    else result[key] = isObject(old) && isObject(change) && !isStep(change) ? merged(old, change) : change;
  }
  return result;
}

/** Replaces a step as a whole: keys of two kinds of step cannot be combined. */
function isStep(value: Tree): boolean {
  return ['absent', 'manual', 'rpc', 'method'].some((key) => key in value);
}

/** For tests: adapter files in a temporary folder. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '#protocol/wire/envelope.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { type LoadedAdapter, loadAdapter } from '../file/load.ts';

export function writeTemporary(name: string, content: string | Uint8Array): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}

type Tree = { [key: string]: unknown };

/** The smallest valid adapter file, as an object. It describes a plain REST server with one fixed code. */
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

/** The value of the environment variable that the smallest file names; it has a letter beyond ASCII. */
export const PASSWORD = 'the internal pässword';

export function variant(changes: Tree): Tree {
  return merged(smallest, changes);
}

export function loadVariant(changes: Tree = {}, env: Record<string, string> = {}): Promise<LoadedAdapter> {
  const file = writeTemporary('adapter.json', JSON.stringify(variant(changes)));
  return loadAdapter(file, { PASSWORD, ...env });
}

/** Returns the problems of a variant, each as `line:column path: sentence` without the name of the file. */
export async function problemsOf(changes: Tree, env: Record<string, string> = {}): Promise<string[]> {
  const file = writeTemporary('adapter.json', JSON.stringify(variant(changes), null, 2));
  return problemsOfFile(file, { PASSWORD, ...env });
}

/** Returns the problems of a file, in the form of {@link problemsOf}; none when the file is valid. */
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

/** Whether a section is a step. Steps are replaced whole: keys of two kinds of step exclude each other. */
function isStep(value: Tree): boolean {
  return ['absent', 'manual', 'rpc', 'method'].some((key) => key in value);
}

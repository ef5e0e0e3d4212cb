import { execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { runInNewContext } from 'node:vm';
import { build, transformSync } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root } from '../../set-up/set-up.mjs';
import { buildLibrary, libraryDirectory, libraryExports } from './build.ts';

/** What developers of client applications write against the built library. */
const CONSUMER = `
import { setupServer } from 'msw/node';
import { authHandlers, ehrHandlers, manualClock, RpcError, rpc } from 'embedded-ehr-harness/mis-fixtures/msw';
import { personas, propertiesOf } from 'embedded-ehr-harness/mis-fixtures/personas';
import { errorTable, type Patient, type Reason, RpcError as SameRpcError, readReply } from 'embedded-ehr-harness/protocol';

const ehr = ehrHandlers({ url: 'http://ehr.test', clock: manualClock() });
const auth = authHandlers({ url: 'http://auth.test', ehr });
const server = setupServer(...ehr, ...auth);
server.listen();

async function call(url: string, method: string, params: object, cred?: { user: string; token: string }): Promise<any> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, cred });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const reply = readReply(await response.text(), 1);
  return 'result' in reply ? reply.result : reply.error;
}

const { signIn: phone } = personas.anna;
await call('http://auth.test', 'auth.request_otp', { phone });
const { authInfo } = await call('http://auth.test', 'auth.confirm_otp', { phone, code: auth.outbox.code(phone) });
const { exchangeToken } = await call('http://auth.test', 'auth.exchange_token', {}, authInfo);
const endpoint = 'http://ehr.test/1.0-alpha/';
const patientProperties = propertiesOf(personas.anna);
const linked: { patient: Patient } = await call(endpoint, 'embedded_storage.authenticate', { exchangeToken, patientProperties });

const reason: Reason = 'session_expired';
server.use(
  rpc('http://ehr.test').method('patient.get_patient', ({ params, cred, id }) => {
    const token: string = cred.token;
    const ids: string | number | bigint | null | undefined = id;
    const none: Record<string, never> = params;
    if (token && ids && none) throw new SameRpcError(reason);
    throw new RpcError('internal_error');
  }),
);
const refused = await call(endpoint, 'patient.get_patient', {}, authInfo);
console.log(JSON.stringify([linked.patient.surname, refused.code === errorTable[reason].code, SameRpcError === RpcError]));
server.close();
`;

const MISTAKES = `
import { rpc } from 'embedded-ehr-harness/mis-fixtures/msw';
rpc('http://ehr.test').method('patient.get_patients', () => ({}));
rpc('http://ehr.test').method('patient.get_patient', () => ({ patient: 'Anna' }));
rpc('http://auth.test').method('auth.request_otp', ({ cred }) => ({ digits: cred.token.length, expiresIn: 1, resendAfter: 1 }));
`;

/** Signs in and links without sockets, and returns the surname of the linked patient. */
const PAGE = `
import { getResponse } from 'msw';
import { authHandlers, ehrHandlers } from 'embedded-ehr-harness/mis-fixtures/msw';
import { personas, propertiesOf } from 'embedded-ehr-harness/mis-fixtures/personas';

const ehr = ehrHandlers({ url: 'http://ehr.test' });
const auth = authHandlers({ url: 'http://auth.test', ehr });

async function call(url, method, params, cred) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params, cred });
  const request = new Request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const reply = await (await getResponse([...ehr, ...auth], request)).json();
  return reply.result;
}

export async function link() {
  const { signIn: phone } = personas.anna;
  await call('http://auth.test', 'auth.request_otp', { phone });
  const { authInfo } = await call('http://auth.test', 'auth.confirm_otp', { phone, code: auth.outbox.code(phone) });
  const cred = { user: authInfo.user, token: authInfo.token };
  const { exchangeToken } = await call('http://auth.test', 'auth.exchange_token', {}, cred);
  const params = { exchangeToken, patientProperties: propertiesOf(personas.anna) };
  return (await call('http://ehr.test/1.0-alpha/', 'embedded_storage.authenticate', params)).patient.surname;
}
`;

/** A foreign project that has this package installed: it sees only the built library. */
let project: string;
let library: string;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'consumer-'));
  const modules = join(project, 'node_modules');
  const installed = join(modules, 'embedded-ehr-harness');
  library = join(installed, libraryDirectory);
  mkdirSync(join(modules, '@noble'), { recursive: true });
  for (const name of ['msw', 'zod', '@noble/hashes', '@types'])
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  await buildLibrary(root, library);
  writeFileSync(
    join(installed, 'package.json'),
    JSON.stringify({ name: 'embedded-ehr-harness', type: 'module', exports: libraryExports() }),
  );
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module' }));
  writeFileSync(join(project, 'client.test.ts'), CONSUMER);
  writeFileSync(join(project, 'mistakes.ts'), MISTAKES);
});
afterAll(() => rmSync(project, { recursive: true }));

/** Returns the compiler's errors in the consumer's files under strict settings. */
function typecheck(files: string[], settings: string[]): string[] {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const strict = '--strict --noEmit --target es2022 --types node --exactOptionalPropertyTypes'.split(' ');
  const { stdout } = spawnSync(process.execPath, [compiler, ...files, ...strict, ...settings], {
    cwd: project,
    encoding: 'utf8',
  });
  return stdout.split('\n').filter((line) => /^\S.*error TS\d+/.test(line));
}

/** Runs a file of the consumer, and returns what it prints. */
const printed = (file: string) => execFileSync(process.execPath, [file], { cwd: project, encoding: 'utf8' });

test('a client test written against the built library runs', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(project, 'client.test.ts')],
    write: false,
    format: 'esm',
    target: 'es2022',
  });
  writeFileSync(join(project, 'client.test.mjs'), outputFiles[0]?.contents ?? '');
  expect(JSON.parse(printed('client.test.mjs'))).toEqual(['Petrova', true, true]);
});

test('the client compiles under nodenext, and its mistakes do not, so the declarations resolve', () => {
  const errors = typecheck(['client.test.ts', 'mistakes.ts'], ['--module', 'nodenext', '--skipLibCheck']);
  // An unknown method, a wrong result, and a cred where none is sent.
  expect(errors.map((line) => line.slice(0, line.indexOf(',')))).toEqual([
    'mistakes.ts(3',
    'mistakes.ts(4',
    'mistakes.ts(5',
  ]);
});

test('the client compiles for a bundler', () => {
  expect(
    typecheck(['client.test.ts'], ['--module', 'esnext', '--moduleResolution', 'bundler', '--skipLibCheck']),
  ).toEqual([]);
});

test('a CommonJS project compiles and runs what the page tells', () => {
  const page = readFileSync(join(root, 'docs', 'running.md'), 'utf8');
  const [, told = ''] = /\bTS1479\b[\s\S]*?```ts\n([\s\S]*?)```/.exec(page) ?? [];
  const files = {
    imports: CONSUMER,
    awaits: `${told}void handlers().then((all) => console.log(all.length));`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(project, `${name}.cts`), text);
  const errors = typecheck(['imports.cts', 'awaits.cts'], ['--module', 'node16', '--skipLibCheck']);
  expect(errors.some((line) => line.startsWith('imports') && line.includes('TS1479'))).toBe(true);
  expect(errors.filter((line) => line.startsWith('awaits'))).toEqual([]);
  const { code } = transformSync(files.awaits, { loader: 'ts', format: 'cjs' });
  writeFileSync(join(project, 'awaits.cjs'), code);
  expect(Number(printed('awaits.cjs'))).toBeGreaterThan(0);
});

/** What a page has, and Node has as well: everything else of Node is missing there. */
const GLOBALS_OF_PAGE = [
  ...['AbortController', 'AbortSignal', 'Blob', 'BroadcastChannel', 'Event', 'EventTarget', 'FormData'],
  ...['Headers', 'MessageEvent', 'ReadableStream', 'Request', 'Response', 'TextDecoder', 'TextEncoder'],
  ...['TransformStream', 'URL', 'URLSearchParams', 'btoa', 'clearTimeout', 'console', 'crypto'],
  ...['queueMicrotask', 'setTimeout', 'structuredClone'],
] as const satisfies (keyof typeof globalThis)[];

function globalsOfPage() {
  return {
    ...Object.fromEntries(GLOBALS_OF_PAGE.map((name) => [name, globalThis[name]])),
    localStorage: { getItem: () => null, setItem: () => undefined },
    location: { href: 'http://app.test/' },
  };
}

test('the handlers work where there is nothing of Node', async () => {
  const { outputFiles } = await build({
    stdin: { contents: PAGE, resolveDir: project },
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    globalName: 'page',
  });
  const page = runInNewContext(`${outputFiles[0]?.text}; page`, globalsOfPage()) as {
    link(): Promise<string>;
  };
  expect(await page.link()).toBe('Petrova');
});

test('the JavaScript imports nothing but what runs in a browser', () => {
  for (const file of filesBelow(library).filter((name) => name.endsWith('.js'))) {
    const text = readFileSync(file, 'utf8');
    expect(text).not.toMatch(/\b(?:Buffer|setImmediate|process\.|require\()/);
    const imported = [...text.matchAll(/\bfrom\s*"([^"]+)"|\bimport\s*"([^"]+)"/g)].map(
      ([, from, bare]) => from ?? bare ?? '',
    );
    for (const specifier of imported.filter((name) => !name.startsWith('.')))
      expect(specifier).toMatch(/^(msw|zod|@noble\/hashes\/(hmac|legacy|sha2|utils)\.js)$/);
  }
});

test('every local import of a declaration is shipped', () => {
  const shipped = new Set(filesBelow(library));
  for (const file of [...shipped].filter((name) => name.endsWith('.d.ts')))
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(/\bfrom\s*['"]([^'"]+)['"]/g)) {
      expect(specifier.startsWith('#'), `${specifier} in ${file}`).toBe(false);
      if (specifier.startsWith('.'))
        expect(shipped).toContain(resolve(dirname(file), specifier).replace(/\.js$/, '.d.ts'));
    }
});

test('package.json offers what is built, ships it, and asks for msw', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(manifest.exports).toEqual({ ...libraryExports(), './package.json': './package.json' });
  expect(manifest.files).toContain(libraryDirectory);
  const peers: Record<string, string> = manifest.peerDependencies;
  expect(peers).toHaveProperty('msw');
  // Optional peers have no upper end, so newer ones install.
  for (const [name, range] of Object.entries(peers)) {
    expect(range, name).toMatch(/^>=[\d.]+$/);
    expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
  }
});

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

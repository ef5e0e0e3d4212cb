import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { authMethods } from '#protocol/methods/auth-methods.ts';
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { testEnvironment } from '#testing/fixtures.ts';
import { useProgram } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { callerOf, reasonOf } from '#testing/wire.ts';
import { root } from '../set-up/set-up.mjs';
import { buildAll } from './built-program.mjs';
import { buildLibrary, libraryDirectory } from './library/build.ts';
import { otherPages } from './pages.mjs';
import { commands, programDirectory } from './programs.mjs';
import { installPackage, type Published, publishDry } from './testing/installed.ts';

let published: Published;
/** This package as installed elsewhere. */
let installed: string;

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  bin: Record<string, string>;
  scripts: Record<string, string>;
  version: string;
};

/** The most (bytes) that an installation may take, dependencies apart. */
const MAX_UNPACKED = 15_000_000;

/** For hangs: to build, pack and install takes a minute on a quiet machine. */
const INSTALL_TIMEOUT_MS = 480_000;

beforeAll(async () => {
  await Promise.all([buildAll(root), buildLibrary(root, join(root, libraryDirectory))]);
  published = publishDry();
  installed = installPackage(published);
}, INSTALL_TIMEOUT_MS);
afterAll(() => rmSync(installed, { recursive: true, force: true }));

const MAX_START_MS = 30_000;

const fileOf = (command: string) => join(installed, programDirectory, `${command}.js`);

async function start(command: string, env: Record<string, string> = {}) {
  const server = useProgram([fileOf(command)], { cwd: installed, env: { ...testEnvironment, ...env } });
  const [, url = ''] = await server.says(/(http:\/\/127\.0\.0\.1:\d+).*\n/, 'out');
  return { ...server, url };
}

const run = (command: string, ...args: string[]) =>
  execFileSync(process.execPath, [fileOf(command), ...args], {
    cwd: installed,
    encoding: 'utf8',
    stdio: 'pipe',
  });

test('the built EHR server answers calls, then pages, and stops cleanly', async () => {
  const server = await start('ehr-server');
  const call = callerOf<typeof ehrMethods>(`${server.url}/1.0-alpha/`);
  expect(reasonOf(await call('patient.get_patient', {}, { user: 'nobody', token: 'none' }))).toBe(
    'not_authorized',
  );
  // Pages need express, which is loaded only now.
  const replies = await Promise.all(
    ['/healthz', '/readyz', '/nothing'].map((path) => fetch(server.url + path)),
  );
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 404]);
  expect(await server.stop()).toMatchObject({ code: 0, err: '' });
});

test('the built authorization server answers calls and shows the messages', async () => {
  const server = await start('ehr-auth-server', { AUTH_EHR_URL: 'http://127.0.0.1:1' });
  const call = callerOf<typeof authMethods>(`${server.url}/`);
  expect((await call('auth.request_otp', { phone: '79990000001' })).error).toBeUndefined();
  const page = await (await fetch(`${server.url}/sms`)).text();
  const styles = [...page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)].map(([, path = '']) => path);
  expect(styles.length).toBeGreaterThan(0);
  for (const [path, type] of [
    ['/sms', 'text/html'],
    ...styles.map((path) => [path, 'text/css'] as const),
    ['/sms/messages.js', 'text/javascript'],
    ['/sms/texts.js', 'text/javascript'],
    ['/outbox?to=79990000001', 'application/json'],
  ] as const) {
    const reply = await fetch(server.url + path);
    expect([path, reply.status, reply.headers.get('content-type')]).toEqual([
      path,
      200,
      expect.stringContaining(type),
    ]);
  }
  expect((await server.stop()).code).toBe(0);
});

test('the built client serves its page and what the page loads', async () => {
  const server = await start('ehr-client', { CLIENT_PORT: '0', CLIENT_LOG_LEVEL: 'silent' });
  const page = await (await fetch(`${server.url}/`)).text();
  const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(assets.length).toBeGreaterThanOrEqual(2);
  for (const path of assets) expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200]);
  expect((await server.stop()).code).toBe(0);
});

test('the built kit and the built fixtures do their work', () => {
  expect(run('ehr-conformance', '--list')).toContain('MUST');
  expect(run('ehr-conformance', 'init', join(installed, 'server.yaml'))).toContain('Wrote');
  expect(readFileSync(join(installed, 'server.yaml'), 'utf8')).toContain('conformance/adapter.schema.json');
  expect(run('ehr-fixtures', '--patients', '10', '--database', join(installed, 'a.sqlite'))).toContain(
    '10 invented',
  );
});

const notes = (command: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [fileOf(command), ...args], {
    cwd: installed,
    encoding: 'utf8',
  });
  return { status, text: stdout + stderr };
};

test('help and messages name the installed commands, and each tells its version', () => {
  // The help of that one has another form: harness/installed.long.test.ts reads it.
  for (const command of commands.filter((name) => name !== 'embedded-ehr-harness')) {
    expect(run(command, '--version')).toBe(`${manifest.version}\n`);
    const help = run(command, '--help');
    expect(help).toContain(`Usage: ${command} [options]`);
    expect(help).not.toContain('npm run');
  }
  const told = [
    notes('ehr-server', '--wrong'),
    notes('ehr-server', 'audit', '--help'),
    notes('ehr-server', 'backup', '--help'),
    notes('ehr-fixtures', '--wrong'),
    notes('ehr-fixtures', 'personas', '--help'),
    notes('ehr-conformance', 'auth-server', '--config', 'nothing.yaml'),
    notes('ehr-conformance', 'init', join(installed, 'another.yaml')),
  ].map(({ text }) => text);
  for (const text of told) {
    expect(text).toMatch(/ehr-(server|fixtures|conformance) /);
    expect(text).not.toContain('npm run');
  }
});

test('the packaged examples start, and the doctor finds nothing', () => {
  for (const example of ['mock.yaml', 'test-login.yaml', 'plain-js.yaml']) {
    const judged = notes('ehr-conformance', 'doctor', '--config', join('conformance/examples', example));
    expect([example, judged]).toEqual([example, { status: 0, text: expect.any(String) }]);
  }
});

/** The built programs and the examples alone, without any package beside them. */
function bareInstallation(): string {
  const bare = temporaryFolder();
  cpSync(join(installed, 'package.json'), join(bare, 'package.json'));
  for (const part of ['dist/bin', 'conformance'])
    cpSync(join(installed, part), join(bare, part), { recursive: true });
  return bare;
}

function runBare(bare: string, command: string, flags: readonly string[], more: object = {}) {
  const program = join(bare, programDirectory, `${command}.js`);
  return spawnSync(process.execPath, [program, ...flags], { cwd: bare, encoding: 'utf8', ...more });
}

test('the kit judges a server without any other package', () => {
  const bare = bareInstallation();
  for (const example of ['mock.yaml', 'plain-js.yaml']) {
    const file = join(bare, 'conformance/examples', example);
    const { status, stderr } = runBare(bare, 'ehr-conformance', ['doctor', '--config', file]);
    expect([example, status, stderr]).toEqual([example, 0, '']);
  }
});

test('a browser client is not judged without Playwright, which is named', () => {
  const bare = bareInstallation();
  const flags = ['client', '--config', join(bare, 'conformance/examples/web-client.yaml')];
  const { status, stdout, stderr } = runBare(bare, 'ehr-conformance', flags);
  expect([status, stdout + stderr]).toEqual([2, expect.stringContaining('npm install @playwright/test')]);
});

test('a missing package is named, even from a built module', () => {
  const bare = bareInstallation();
  for (const [database, complaint] of [
    [join(bare, 'ehr.sqlite'), 'better-sqlite3 is not installed'],
    ['postgres://127.0.0.1:1/ehr', "Cannot find module 'pg'"],
  ] as const) {
    // Where a directory above has the package, the server starts and stays.
    const limits = { env: { ...process.env, ...testEnvironment }, timeout: MAX_START_MS };
    const { stderr } = runBare(bare, 'ehr-server', ['--database', database], limits);
    expect(stderr).toContain(complaint);
    // The module made by the build is in no file, so its place in the stack has no path.
    expect(stderr).not.toContain('ERR_INVALID_URL_SCHEME');
  }
});

test('what the documents of the package link to is in the package', () => {
  const paths = published.files.map(({ path }) => path);
  const isIn = (target: string) => paths.some((path) => path === target || path.startsWith(`${target}/`));
  // The threat model links each claim to its test, which exists in a clone only.
  const pages = paths.filter((path) => path.endsWith('.md') && path !== 'SECURITY.md');
  expect(pages).toContain('docs/files.md');
  const missing = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map(([, link = '']) => posix.join(posix.dirname(page), link))
      .filter((target) => !isIn(target))
      .map((target) => `${page}: ${target}`),
  );
  expect(missing).toEqual([]);
});

test('a server starts from one file that imports Node alone', () => {
  for (const command of ['ehr-server', 'ehr-auth-server', 'ehr-client']) {
    const text = readFileSync(fileOf(command), 'utf8');
    const imported = [...text.matchAll(/(?:^|[;}\n])import\s*(?:[\w*{}\s,$]*?from\s*)?"([^"]+)"/g)].map(
      ([, name]) => name,
    );
    expect(imported).toContain('node:http');
    expect([command, imported.filter((name) => !name?.startsWith('node:'))]).toEqual([command, []]);
    // Packages that only one kind of run needs, and unused parts of zod.
    expect(text).not.toMatch(/iconv|class Registry|RateLimiterRedis|Entrada inv/);
  }
});

test('package.json names every command', () => {
  const files = commands.map((command) => [command, `${programDirectory}/${command}.js`]);
  expect(manifest.bin).toEqual(Object.fromEntries(files));
  expect(manifest.scripts.prepack).toContain('npm run build -- --for-package');
});

test('a dry run publishes at most 15 MB, and nothing of the tests', () => {
  // A clone keeps the bundled pages of earlier commits. A release removes them before it publishes.
  const others = otherPages(root).map((page) => `${page}/`);
  const files = published.files.filter(({ path }) => !others.some((page) => path.startsWith(page)));
  expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(MAX_UNPACKED);
  const paths = files.map(({ path }) => path);
  expect(paths).toContain(`${libraryDirectory}/protocol.js`);
  // The documents link to this one as an example.
  expect(paths.filter((path) => /\.(?:test|spec)\.ts$|\.map$/.test(path))).toEqual([
    'e2e/msw-example.test.ts',
  ]);
});

test('publint and attw find nothing in the package', () => {
  const folder = temporaryFolder();
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' });
  run('npm', 'pack', '--ignore-scripts', '--offline', '--no-update-notifier', '--pack-destination', folder);
  const [name = ''] = readdirSync(folder);
  const bin = (command: string) => join(root, 'node_modules', '.bin', command);
  const judged = [
    run(bin('publint'), 'run', join(folder, name), '--strict'),
    // ECMAScript modules alone, as package.json says: for node16, nodenext and bundlers.
    run(bin('attw'), join(folder, name), '--profile', 'esm-only', '--no-color'),
  ];
  expect(judged.map(({ status, stdout }) => [status, status === 0 ? '' : stdout])).toEqual([
    [0, ''],
    [0, ''],
  ]);
});

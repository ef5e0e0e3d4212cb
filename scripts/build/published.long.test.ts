/** What npm would publish: how large it is, and whether its types resolve. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { root } from '../set-up/set-up.mjs';
import { buildAll } from './built-program.mjs';
import { buildLibrary } from './library/build.ts';
import { libraryDirectory } from './library/entries.ts';
import { otherPages } from './pages.mjs';
import { publishDry } from './testing/installed.ts';

/** The most (bytes) that an installation may take, dependencies apart. */
const MAX_UNPACKED = 15_000_000;

beforeAll(async () => {
  await Promise.all([buildAll(root), buildLibrary(root, join(root, libraryDirectory))]);
});

test('a dry run publishes at most 15 MB, and nothing of the tests', () => {
  const { files } = publishDry();
  // A clone keeps pages of earlier sources, which a release removes.
  const others = otherPages(root).map((page) => `${page}/`);
  const published = files.filter(({ path }) => !others.some((page) => path.startsWith(page)));
  expect(published.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(MAX_UNPACKED);
  const paths = published.map(({ path }) => path);
  expect(paths).toContain(`${libraryDirectory}/protocol.js`);
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

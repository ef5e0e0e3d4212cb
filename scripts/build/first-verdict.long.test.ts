/** From `npx` to the first verdict of a server that has no file yet, without an editor. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walkPlain } from '#conformance/roles/auth-server/learn/testing/example-walks.ts';
import {
  freePorts,
  harOf,
  INTERNAL,
  startExample,
  withPorts,
} from '#conformance/roles/auth-server/learn/testing/examples.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { root } from '../set-up/set-up.mjs';
import { buildAll } from './built-program.mjs';
import { installPackage, publishDry } from './testing/installed.ts';

let installed: string;
/** Npx keeps a link to the package there. */
let cache: string;
beforeAll(async () => {
  await buildAll(root);
  cache = mkdtempSync(join(tmpdir(), 'npx-'));
  installed = installPackage(publishDry());
});
afterAll(() => {
  for (const folder of [installed, cache]) rmSync(folder, { recursive: true, force: true });
});

/** Runs the package by npx in a folder, with these lines as its input. */
async function npx(cwd: string, lines: readonly string[], env: Record<string, string>, ...words: string[]) {
  const flags = ['exec', '--offline', '--yes', '--no-update-notifier', '--package', installed];
  const shell = process.platform === 'win32';
  const child = spawn('npm', [...flags, '--', 'embedded-ehr-harness', ...words], {
    cwd,
    shell,
    env: { ...process.env, npm_config_cache: cache, NO_COLOR: '1', FORCE_COLOR: '', ...env },
  });
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve));
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: out + err };
}

test('npx leads from a recording to the first verdict', { timeout: 480_000 }, async () => {
  const folder = temporaryFolder();
  const ports = await freePorts();
  const server = await startExample('plain-js/server.mjs', ports);
  writeFileSync(join(folder, 'sign-in.har'), await harOf(walkPlain, server, ports));
  const answers = ['My REST server', '', 'json-sms', 'a setting'];
  const learn = ['conformance', 'init', 'mine.yaml', '--from', 'sign-in.har', '--no-doctor'];
  const init = await npx(folder, answers, {}, ...learn);
  expect(init).toMatchObject({ code: 0, output: expect.stringContaining('Wrote mine.yaml') });
  const file = join(folder, 'mine.yaml');
  writeFileSync(file, withPorts(readFileSync(file, 'utf8'), ports));
  const credentials = { EHR_INTERNAL_USER: INTERNAL.user, EHR_INTERNAL_PASSWORD: INTERNAL.password };
  const judge = ['conformance', 'auth-server', '--config', 'mine.yaml', '--only', 'link-recorded'];
  const { code, output } = await npx(folder, [], credentials, ...judge);
  expect([code, output]).toEqual([0, expect.stringContaining('1 passed, 0 failed')]);
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { runProgram } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { networkFlags, runNpm } from './run-npm.mjs';
import { nodeProblem, root } from './set-up.mjs';
import { freshClone } from './testing/fresh-clone.ts';

test('a Node that can run the project is accepted', () => {
  for (const version of ['20.19.0', '20.20.2', '22.14.0', '22.23.0', '24.0.0', '24.21.0', '26.10.0'])
    expect(nodeProblem(version), version).toBeUndefined();
});

test('an older Node gets one sentence about the fault and remedy', () => {
  for (const version of ['12.22.0', '18.20.8', '20.18.3', '21.7.3', '22.13.1', '23.11.1'])
    expect(nodeProblem(version)).toBe(
      `This project needs Node 20.19, 22.14, 24 or newer, and this is Node ${version}. Please install one from https://nodejs.org.`,
    );
});

test('a set-up that fails ends with code 2, which is no verdict', () => {
  const { run } = freshClone();
  expect(() => run('scripts/run.mjs', 'conformance/main.ts', 'replay', 'a')).toThrow(
    expect.objectContaining({
      status: 2,
      message: expect.stringContaining('Failed to install the dependencies: npm ci'),
    }),
  );
});

test('a registry that refuses is told, with what to do', async () => {
  const cwd = temporaryFolder();
  const itself = { name: 'small', version: '1.0.0', dependencies: { nowhere: '1.0.0' } };
  const nowhere = { version: '1.0.0', resolved: 'http://127.0.0.1:9/nowhere-1.0.0.tgz' };
  const lock = { lockfileVersion: 3, packages: { '': itself, 'node_modules/nowhere': nowhere } };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(itself));
  writeFileSync(join(cwd, 'package-lock.json'), JSON.stringify({ ...itself, ...lock }));
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/');
  vi.stubEnv('npm_config_cache', join(cwd, 'cache'));
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const place = { cwd, addHelper: () => undefined };
  const flags = await networkFlags(place);
  expect(flags).toEqual(['--offline']);
  await expect(runNpm('Installing', ['ci', ...flags], place)).rejects.toThrow(
    /^The package registry could not be reached\. Please check the network \(npm ping\), then run this again\.$/,
  );
});

test('paths of a command are from where npm was typed, not from the clone', async () => {
  const INIT_CWD = temporaryFolder();
  writeFileSync(join(INIT_CWD, 'a.json'), '{}');
  const env = { INIT_CWD, npm_lifecycle_event: 'conformance' };
  const command = ['scripts/run.mjs', 'conformance/main.ts', 'replay', 'a.json'];
  const { err } = await runProgram(command, { cwd: root, env });
  expect(err).toMatch(/a\.json/);
  expect(err).not.toContain('there is no such file');
});

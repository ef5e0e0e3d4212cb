import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { nodeProblem, root } from './set-up.mjs';

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

/** Copies the part of a fresh clone that runs before anything is installed. */
function freshClone(): { directory: string; run(...args: string[]): string } {
  const directory = temporaryFolder();
  for (const file of ['package.json', 'package-lock.json', 'scripts'])
    cpSync(join(root, file), join(directory, file), { recursive: true });
  // npm is not available, so that an attempt to install fails.
  const env = { PATH: directory };
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: directory, env, encoding: 'utf8' });
  return { directory, run };
}

test('a set-up that fails ends with code 2, which is no verdict', () => {
  const { run } = freshClone();
  const failed = () => run('scripts/run.mjs', 'conformance/main.ts', 'replay', 'a');
  expect(failed).toThrow(expect.objectContaining({ status: 2 }));
  expect(failed).toThrow(/Failed to install the dependencies: npm ci/);
});

/** Starts a program of a fresh clone, without anything in npm's cache. */
function firstStart(registry: string) {
  const { directory } = freshClone();
  const npm = { npm_config_cache: join(directory, 'cache'), npm_config_registry: registry };
  const args = ['scripts/run.mjs', 'demo/commands/clock.ts', 'show'];
  return runProgram(args, { cwd: directory, env: { HOME: directory, ...npm } });
}

/** Returns the address of a registry that takes connections and never answers. */
async function silentRegistry(): Promise<string> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

// npm itself would try for minutes: the time-out of the test is what shows the difference.
test('a first start without a network says so, refused or unanswered', async () => {
  const starts = await Promise.all(['http://127.0.0.1:9/', await silentRegistry()].map(firstStart));
  for (const { code, text } of starts) {
    expect(code).toBe(2);
    expect(text).toMatch(/\nThe package registry could not be reached\. Please check the network .*\n$/);
  }
});

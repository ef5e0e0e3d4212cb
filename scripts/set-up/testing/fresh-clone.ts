import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runProgram } from '#testing/programs/use-program.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { root } from '../set-up.mjs';

/** Copies the part of a fresh clone that runs before anything is installed. */
export function freshClone(): { directory: string; run(...args: string[]): string } {
  const directory = temporaryFolder();
  for (const file of ['package.json', 'package-lock.json', 'scripts'])
    cpSync(join(root, file), join(directory, file), { recursive: true });
  // npm is not available, so that an attempt to install fails.
  const env = { PATH: directory };
  const run = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: directory, env, encoding: 'utf8' });
  return { directory, run };
}

/** Starts a program of a fresh clone, without anything in npm's cache. */
function firstStart(registry: string) {
  const { directory } = freshClone();
  const npm = { npm_config_cache: join(directory, 'cache'), npm_config_registry: registry };
  const args = ['scripts/run.mjs', 'demo/commands/clock.ts', 'show'];
  return runProgram(args, { cwd: directory, env: { HOME: directory, ...npm } });
}

/** Expects that a first start with this registry says that it could not be reached. */
export async function expectSaysUnreached(registry: string): Promise<void> {
  const { code, text } = await firstStart(registry);
  expect(code).toBe(2);
  expect(text).toMatch(/\nThe package registry could not be reached\. Please check the network .*\n$/);
}

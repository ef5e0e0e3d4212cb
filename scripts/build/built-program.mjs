/** Finds the built file of a program, and builds it when its sources have changed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { progress } from '../set-up/progress.mjs';
import { builtFile, isFresh } from './freshness.mjs';
import { builtNames, isOfKit, KIT, nameOf } from './programs.mjs';

export class BuildError extends Error {
  name = 'BuildError';
}

/** Built once for all programs, which load it when they serve their first page. */
const SHARED = 'express';

/** Returns the built file of a program, up to date; undefined for a module that runs from its source. */
export async function builtProgram(root, main) {
  const name = nameOf(main);
  if (name === undefined) return undefined;
  const needed = [SHARED, name, ...(isOfKit(name) ? [KIT] : [])];
  if (isClone(root)) await Promise.all(needed.map((file) => refresh(root, file)));
  return join(root, builtFile(name));
}

/** Tells whether there are sources. An installed package has the built programs alone. */
const isClone = (root) => existsSync(join(root, 'scripts/run.mjs'));

/** Builds every program whose sources have changed. Returns the paths of all, relative to the root. */
export async function buildAll(root) {
  const names = [SHARED, ...builtNames];
  await Promise.all(names.map((name) => refresh(root, name)));
  return names.map(builtFile);
}

async function refresh(root, name) {
  if (isFresh(root, name)) return;
  const shown = progress(`Building ${name}`, { quietFor: 1_000 });
  try {
    const { bundle } = await import('./bundle.mjs');
    await bundle(root, name);
    shown.done();
  } catch (cause) {
    shown.failed();
    throw new BuildError(`Failed to build ${name}: ${cause.message}`, { cause });
  }
}

/**
 * `npm run image`: builds the images of the Dockerfile and runs them where no container engine is, in a bare
 * Debian.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import { root } from '../set-up/set-up.mjs';
import { ImageBuild } from './build-image.ts';
import { configOf, readStages } from './dockerfile.ts';
import { type Enclosed, startEnclosed } from './enclosed.ts';
import { proofs } from './proofs.ts';

const { keep, only } = toolCommand('npm run image --')
  .description(
    'Builds the images of the Dockerfile without a container engine, and runs each as one would: read-only, as a user without rights. Needs Linux, root, debootstrap and a network.',
  )
  .option('--only <image>', 'one image alone: ehr-server, kit or demo')
  .option('--keep <directory>', 'build there, and use again the bare Debian that lies there')
  .parse()
  .opts<{ keep?: string; only?: string }>();

const directory = keep === undefined ? mkdtempSync(join(tmpdir(), 'images-')) : resolve(keep);
const stages = readStages(readFileSync(join(root, 'Dockerfile'), 'utf8'));
const running = new Set<Enclosed>();
try {
  mkdirSync(directory, { recursive: true });
  const build = new ImageBuild(stages, root, directory);
  for (const [name, prove] of Object.entries(proofs)) {
    if (only !== undefined && only !== name) continue;
    const image = { root: build.rootOf(name), config: configOf(stages, name) };
    const data = build.volumeOf(name);
    const seen = await prove((args, env) => {
      const started = startEnclosed({ ...image, data, args, env });
      running.add(started);
      return started;
    });
    process.stdout.write(`${name}: ${seen}\n`);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
} finally {
  for (const started of running) started.kill();
  if (keep === undefined) rmSync(directory, { recursive: true, force: true });
}

/**
 * Bundles the pages of a room when their sources have changed since the last bundle, so that the demo and the
 * tests start fast.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

export type Build = {
  /** The directory to serve. It contains `index.html`. */
  directory: string;
  /** Whether a new bundle was built. */
  fresh: boolean;
  /** The contents of the files that it was made of, by their paths in the project. */
  inputs: ReadonlyMap<string, Buffer>;
};

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Number of bundles that are kept, the newest ones. */
const MAX_BUNDLES = 4;

/**
 * Builds the pages beside `configFile` with Vite unless their bundle exists. The directory of a bundle is
 * named by the digest of its sources and renamed into place when complete, so that parallel builds cannot
 * damage each other.
 * @param configFile settings of Vite, beside `index.html`
 * @param sources the directories and files of which a bundle is built, beside the packages
 * @throws Error of Vite when the sources cannot be bundled, or another file of the project would be
 */
export async function buildPages(configFile: string, sources: readonly string[]): Promise<Build> {
  const dist = join(dirname(configFile), 'dist');
  const inputs = inputsOf(sources);
  const directory = join(dist, digestOf(inputs));
  if (existsSync(join(directory, 'index.html'))) return { directory, fresh: false, inputs };
  const workshop = join(dist, `.building-${process.pid}`);
  mkdirSync(dist, { recursive: true });
  // Vite takes longer to load than everything else together, so it is loaded only here.
  const { build } = await import('vite');
  const plugins = [onlyOf(sources)];
  await build({
    configFile,
    logLevel: 'warn',
    publicDir: false,
    plugins,
    worker: { plugins: () => plugins },
    build: {
      outDir: workshop,
      emptyOutDir: true,
      target: 'es2022',
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // A busy machine bundles slowly, which is nothing to warn of.
      rolldownOptions: { checks: { bundlerTimings: false } },
    },
  });
  moveInto(workshop, directory);
  removeOldest(dist);
  return { directory, fresh: true, inputs };
}

/** Refuses a bundle with a further module: when that changes, no new bundle would be built. */
function onlyOf(sources: readonly string[]): Plugin {
  const places = sources.map((source) => join(project, source));
  const isOurs = (file: string) => places.some((place) => file === place || file.startsWith(`${place}/`));
  return {
    name: 'only-of-sources',
    moduleParsed({ id }) {
      const [file = ''] = id.split('?');
      if (!file.startsWith('/') || file.includes('/node_modules/') || isOurs(file)) return;
      this.error(`${file} is bundled, and is none of the sources that are given to buildPages.`);
    },
  };
}

function inputsOf(sources: readonly string[]): Map<string, Buffer> {
  const files = sources.flatMap(filesIn).filter((file) => !/\.test\.tsx?$/.test(file));
  return new Map(['package.json', ...files.sort()].map((file) => [file, readFileSync(join(project, file))]));
}

function digestOf(inputs: ReadonlyMap<string, Buffer>): string {
  const hash = createHash('sha256');
  for (const [file, content] of inputs) hash.update(`${file}\0`).update(content).update('\0');
  return hash.digest('hex').slice(0, 16);
}

/** Lists a file of the project, or every file below a directory without bundles, relative to the project. */
function filesIn(source: string): string[] {
  if (statSync(join(project, source)).isFile()) return [source];
  return readdirSync(join(project, source))
    .filter((name) => name !== 'dist')
    .flatMap((name) => filesIn(join(source, name)));
}

function moveInto(workshop: string, directory: string): void {
  try {
    renameSync(workshop, directory);
  } catch (error) {
    rmSync(workshop, { recursive: true, force: true });
    // Another process has built the same bundle first.
    if (!existsSync(join(directory, 'index.html'))) throw error;
  }
}

/** Removes the oldest bundles. A few are kept, because a running server may serve one. */
function removeOldest(dist: string): void {
  const bundles = readdirSync(dist).filter((name) => !name.startsWith('.building-'));
  const byAge = bundles
    .map((name) => ({ name, built: statSync(join(dist, name)).mtimeMs }))
    .sort((a, b) => b.built - a.built);
  for (const { name } of byAge.slice(MAX_BUNDLES)) rmSync(join(dist, name), { recursive: true, force: true });
}

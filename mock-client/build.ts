/** Bundles the client when, and only when, its sources are not those of the bundle at hand, so that the demo and the tests start fast. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Build = {
  /** The directory to serve; it holds `index.html`. */
  directory: string;
  /** Whether anything had to be built. */
  fresh: boolean;
};

const project = fileURLToPath(new URL('..', import.meta.url));
const dist = fileURLToPath(new URL('dist', import.meta.url));

/** As many bundles stay, the newest ones. */
const KEPT = 4;

/** What a bundle is made of beside the packages. */
const SOURCES = ['mock-client', 'protocol'];

/**
 * Builds the client with Vite unless its bundle is there. Each bundle has a directory named by the digest of its
 * sources, moved into place whole, so that processes which build at the same time cannot spoil each other's.
 * @throws Error of Vite when the sources cannot be bundled
 */
export async function buildClient(): Promise<Build> {
  const directory = join(dist, digestOfSources());
  if (existsSync(join(directory, 'index.html'))) return { directory, fresh: false };
  const workshop = join(dist, `.building-${process.pid}`);
  mkdirSync(dist, { recursive: true });
  // Loaded here only: it takes longer than everything else together.
  const { build } = await import('vite');
  const configFile = fileURLToPath(new URL('vite.config.ts', import.meta.url));
  await build({ configFile, logLevel: 'warn', build: { outDir: workshop } });
  moveInto(workshop, directory);
  removeOldest();
  return { directory, fresh: true };
}

function digestOfSources(): string {
  const hash = createHash('sha256');
  const files = SOURCES.flatMap((room) => filesBelow(room)).filter((file) => !/\.test\.tsx?$/.test(file));
  for (const file of ['package.json', ...files.sort()]) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(project, file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

/** Every file below a directory of the project, relative to the project; bundles are not sources. */
function filesBelow(directory: string): string[] {
  return readdirSync(join(project, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return entry.name === 'dist' ? [] : filesBelow(path);
    return [path];
  });
}

function moveInto(workshop: string, directory: string): void {
  try {
    renameSync(workshop, directory);
  } catch (error) {
    rmSync(workshop, { recursive: true, force: true });
    // Another process was faster and built the very same.
    if (!existsSync(join(directory, 'index.html'))) throw error;
  }
}

/** Drops the oldest bundles; a few stay, because a server that is still running may serve one. */
function removeOldest(): void {
  const bundles = readdirSync(dist).filter((name) => !name.startsWith('.building-'));
  const byAge = bundles
    .map((name) => ({ name, built: statSync(join(dist, name)).mtimeMs }))
    .sort((a, b) => b.built - a.built);
  for (const { name } of byAge.slice(KEPT)) rmSync(join(dist, name), { recursive: true, force: true });
}

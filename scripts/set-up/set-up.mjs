/** Makes a fresh clone usable. Needs nothing but Node; an outdated Node can read its syntax. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { endWithParent } from './end-with-parent.mjs';
import { withLock } from './lock-file.mjs';
import { compilingProblem, moduleProblem, npmEnvironment, wantedModule } from './native-module.mjs';
import { outliveReader } from './outlive-reader.mjs';
import { networkFlags, runNpm, SetUpError } from './run-npm.mjs';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** None of them reads as a verdict, which is 0 or 1. */
const EXIT = { notSetUp: 2, fault: 3 };

const modules = join(root, 'node_modules');
const lockfile = join(root, 'package-lock.json');
const stamp = join(modules, '.set-up');

/** Sets the project up and runs a program in this process, or ends it with one clear sentence. */
export function start(program, flags = process.argv.slice(2)) {
  outliveReader();
  const problem = nodeProblem(process.versions.node);
  if (problem !== undefined) {
    process.stderr.write(`${problem}\n`);
    process.exitCode = EXIT.notSetUp;
    return;
  }
  if (process.env.npm_lifecycle_event !== undefined) endWithParent();
  const source = join(root, program);
  fromWhereTyped(program);
  setUp()
    .then(() => load(program))
    .then((file) => {
      process.argv = [process.argv[0], source, ...flags];
      return import(pathToFileURL(file).href);
    })
    .catch((error) => {
      const explained = error instanceof SetUpError || ['BuildError', 'SettingsError'].includes(error.name);
      process.stderr.write(`${explained ? error.message : error.stack}\n`);
      process.exitCode = process.exitCode || (explained ? EXIT.notSetUp : EXIT.fault);
    });
}

/** `npm --prefix CLONE run` begins in the clone; the paths of a command line are from where it was typed. */
function fromWhereTyped(program) {
  const { npm_lifecycle_event: script, INIT_CWD: typedIn } = process.env;
  const isNpm = script !== undefined && process.cwd() === root;
  if (isNpm && program.startsWith('conformance/') && typedIn !== undefined && existsSync(typedIn))
    process.chdir(typedIn);
}

/** Returns the file to run: the built program, up to date, or its source with TypeScript support enabled. */
async function load(program) {
  const { builtProgram } = await import('../build/built-program.mjs');
  const built = await builtProgram(root, program);
  if (built !== undefined) {
    // Available from Node 22.1 on. The program enables it as well, but too late for its own file.
    if (module.enableCompileCache !== undefined) module.enableCompileCache(join(root, 'dist', '.compiled'));
    return built;
  }
  const tsx = await import('tsx/esm/api');
  tsx.register();
  return join(root, program);
}

/** Returns why this Node cannot run the project, in one sentence; undefined when it can. */
export function nodeProblem(version) {
  const [major, minor] = version.split('.').map(Number);
  const runs = major >= 24 || (major === 22 && minor >= 14) || (major === 20 && minor >= 19);
  if (runs) return undefined;
  return `This project needs Node 20.19, 22.14, 24 or newer, and this is Node ${version}. Please install one from https://nodejs.org.`;
}

async function setUp() {
  if (isStamped()) return;
  await withLock(join(root, '.data', 'set-up.lock'), 'set-up', async (addHelper) => {
    // The previous holder of the lock may have done the work.
    if (isStamped()) return;
    await install(addHelper);
    writeFileSync(stamp, fingerprint());
  });
}

/** Returns the state of the dependencies. Native modules are compiled for one version of Node's interface. */
function fingerprint() {
  const digest = createHash('sha256').update(readFileSync(lockfile)).digest('hex');
  return [digest, process.platform, process.arch, process.versions.modules].join(' ');
}

function isStamped() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint();
}

/** Tells whether npm's record agrees with the lockfile, and the native module works unless compiled later. */
function isInstalled(compiled) {
  const record = join(modules, '.package-lock.json');
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync(lockfile, 'utf8')).packages;
  const found = JSON.parse(readFileSync(record, 'utf8')).packages;
  const agrees = Object.keys(wanted).every((path) => {
    if (path === '' || (wanted[path].optional && !found[path])) return true;
    if (compiled && path === 'node_modules/better-sqlite3') return true;
    return found[path] !== undefined && found[path].version === wanted[path].version;
  });
  return agrees && (compiled || moduleProblem(root) === undefined);
}

async function install(addHelper) {
  const { version, isCompiled } = wantedModule(root);
  const run = (what, args) => runNpm(what, args, { cwd: root, addHelper });
  const fetching = async (what, args) => run(what, args.concat(await networkFlags({ cwd: root, addHelper })));
  if (!isInstalled(isCompiled)) {
    await fetching('Installing dependencies', [
      'ci',
      '--include=dev',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
    ]);
  }
  // Also needed after a set-up that was interrupted between the two steps.
  await run('Running install scripts', ['rebuild', ...allowedScripts(), '--foreground-scripts']);
  if (isCompiled) await compile(version, run, fetching);
  const problem = moduleProblem(root);
  if (problem === undefined) return;
  throw new SetUpError(
    `better-sqlite3 ${version} was installed and does not work in Node ${process.versions.node} on ${process.platform}-${process.arch}: ${problem}.\n${
      isCompiled
        ? 'Please use another version of Node, such as the newest 22, and run this again.'
        : 'Please install python3, make and a C++ compiler, run "npm explore better-sqlite3 -- npm run build-release", then this again.'
    }`,
  );
}

/** Node 20 is too old for the version in the lockfile: the one that fits is compiled. */
async function compile(version, run, fetching) {
  if (moduleProblem(root) === undefined) return;
  const name = `better-sqlite3@${version}`;
  await fetching(`Installing ${name}`, [
    'install',
    name,
    '--no-save',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ]);
  const missing = compilingProblem(npmEnvironment());
  if (missing !== undefined) throw new SetUpError(missing);
  const build = ['run', 'build-release', '--prefix', join(modules, 'better-sqlite3')];
  await run(`Compiling ${name}, about 90 s, which Node 22.14 or newer does not need`, build);
}

/** The packages whose install scripts are needed: npm 10 would run node-gyp for others, too. */
function allowedScripts() {
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.keys(allowScripts).filter((name) => allowScripts[name]);
}

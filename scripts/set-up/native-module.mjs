/** The only native module, better-sqlite3. Loaded by the set-up, so its syntax must be as old. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How to get compilers, or to avoid needing them. */
const REMEDY = `Please install python3, make and a C++ compiler, then run this again:
  Debian, Ubuntu: sudo apt-get install -y python3 make g++
  macOS: xcode-select --install
Node 22.14 or newer needs none of them.`;

/** Returns the version that fits this Node, of the two in package.json. On Node 20 it is compiled here. */
export function wantedModule(root, node = process.versions.node) {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [forNode20, current] = dependencies['better-sqlite3'].split(' || ');
  const isCompiled = node.startsWith('20.');
  return { version: isCompiled ? forNode20 : current, isCompiled };
}

/** A module compiled with wrong headers ends the process when the garbage collector runs. */
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

/** Returns why the installed module cannot be used in this Node. Undefined when it can. */
export function moduleProblem(root) {
  const { version } = wantedModule(root);
  const manifest = join(root, 'node_modules', 'better-sqlite3', 'package.json');
  const installed = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : 'none';
  // A module for another Node could end this process when it is loaded.
  if (installed !== version) return `installed is ${installed}, wanted ${version}`;
  const { stderr, status, signal } = spawnSync(process.execPath, ['-e', PROBE], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status === 0) return undefined;
  const said = /(?:Error|Assertion failed): .*/.exec(stderr);
  return `${said === null ? '' : `${said[0]}, `}ended with ${signal === null ? `code ${status}` : signal}`;
}

/**
 * Returns what is missing for compiling the module. The compiler itself takes minutes to fail.
 * @param {{ node: string }} versions
 */
export function compilingProblem(env, versions = process.versions) {
  const { node } = versions;
  const needs = `Node ${node} needs better-sqlite3 compiled on this machine, and`;
  const headers = headersProblem(env.npm_config_nodedir, node);
  if (headers !== undefined) return `${needs} ${headers}`;
  // On Windows the tools are not in PATH; node-gyp finds them.
  if (process.platform === 'win32') return undefined;
  const tools = [
    ['python3', env.npm_config_python || env.PYTHON || 'python3'],
    ['make', env.MAKE || 'make'],
    ['a C++ compiler', (env.CXX || 'c++').split(' ')[0]],
  ];
  const missing = tools.filter(([, tool]) => spawnSync(tool, ['--version'], { env }).status !== 0);
  if (missing.length === 0) return undefined;
  return `${needs} these are missing: ${missing.map(([name]) => name).join(', ')}. ${REMEDY}`;
}

/** Headers that a configuration names must belong to this Node. Otherwise npm downloads them. */
function headersProblem(directory, node) {
  if (!directory) return undefined;
  const file = join(directory, 'include', 'node', 'node_version.h');
  const found = existsSync(file) ? /#define NODE_MAJOR_VERSION (\d+)/.exec(readFileSync(file, 'utf8')) : null;
  const major = node.split('.')[0];
  if (found !== null && found[1] === major) return undefined;
  const state = found === null ? `holds no headers (include/node)` : `holds the headers of Node ${found[1]}`;
  return `${directory}, which npm_config_nodedir names, ${state}. Please name a directory with those of Node ${major}, or none, then run this again.`;
}

/** Returns the environment for npm. Where Node came with its headers, they are taken. */
export function npmEnvironment() {
  const prefix = dirname(dirname(process.execPath));
  if (!existsSync(join(prefix, 'include', 'node', 'node.h'))) return process.env;
  return Object.assign({}, process.env, { npm_config_nodedir: prefix });
}

/** Runs npm for the set-up, and says why it failed. Loaded before anything is installed. */
import { spawn } from 'node:child_process';
import { npmEnvironment } from './native-module.mjs';
import { progress } from './progress.mjs';

const MAX_OUTPUT_LINES = 30;
/** A registry that is silent for longer counts as unreachable. npm itself goes on trying for minutes. */
const REGISTRY_TIMEOUT_MS = 4000;
/** npm is stopped when it does not end by itself soon after that. */
const PING_TIMEOUT_MS = 6000;

/** How npm says that the registry did not answer. */
const UNREACHABLE =
  /ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|TIMEOUT|timeout/;
const NO_REGISTRY =
  'The package registry could not be reached. Please check the network (npm ping), then run this again.';
const INTERRUPTED = 'The set-up was interrupted.';

/** Something outside the project prevents its set-up. The message says what to do. */
export class SetUpError extends Error {}

/** Without a registry, npm is told to take what it has: then it fails at once if that is not enough. */
export async function networkFlags(place) {
  let output = '';
  const take = (text) => {
    output += text;
  };
  const ping = ['ping', '--fetch-retries=0', `--fetch-timeout=${REGISTRY_TIMEOUT_MS}`];
  const code = await npm(ping, take, place, PING_TIMEOUT_MS);
  if (process.exitCode) throw new SetUpError(INTERRUPTED);
  // A registry that answers with an error is there: not every one knows this request.
  const isReached = code === 0 || (code !== null && !UNREACHABLE.test(output));
  return isReached ? [] : ['--offline'];
}

/** Runs npm, and shows how long `what` takes. Throws a SetUpError with the end of its output. */
export async function runNpm(what, args, place) {
  const shown = progress(what);
  let output = '';
  const take = (text) => {
    output = (output + text).slice(-200_000);
  };
  const code = await npm(args, take, place);
  if (code === 0) {
    shown.done();
    return;
  }
  shown.failed();
  throw new SetUpError(process.exitCode ? INTERRUPTED : explain(`npm ${args[0]}`, code, output));
}

/** Resolves to the exit code of npm; to null when it was stopped after `timeoutMs`. */
function npm(args, take, { cwd, addHelper }, timeoutMs) {
  const { npm_execpath: path = '' } = process.env;
  const viaNode = /npm-cli\.[cm]?js$/.test(path);
  const windows = process.platform === 'win32';
  const child = spawn(viaNode ? process.execPath : 'npm', viaNode ? [path, ...args] : args, {
    cwd,
    env: npmEnvironment(),
    shell: windows && !viaNode,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Runs in its own process group, so that an interruption also reaches the compilers that npm has started.
    detached: !windows,
  });
  if (child.pid !== undefined) addHelper(child.pid);
  child.stdout.setEncoding('utf8').on('data', take);
  child.stderr.setEncoding('utf8').on('data', take);
  const end = () => {
    if (windows) child.kill();
    else process.kill(-child.pid, 'SIGTERM');
  };
  const stop = (signal) => {
    process.exitCode = signal === 'SIGINT' ? 130 : 143;
    end();
  };
  const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs);
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, stop);
  return new Promise((resolve) => {
    child.on('error', (error) => {
      take(error.message);
      resolve(1);
    });
    child.on('close', resolve);
  }).finally(() => {
    clearTimeout(timer);
    for (const signal of signals) process.off(signal, stop);
  });
}

function explain(what, code, output) {
  if (/ENOTCACHED/.test(output)) return NO_REGISTRY;
  const lines = output
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('npm warn Unknown'));
  const parts = [
    `Failed to install the dependencies: ${what} ended with code ${code}. The end of its output:`,
    '',
  ];
  parts.push(...lines.slice(-MAX_OUTPUT_LINES).map((line) => `  ${line}`), '');
  if (/node-v[\d.]+-headers/.test(output)) {
    parts.push(
      'The headers of this Node, which compiling needs, could not be downloaded. Please name a directory that holds them',
      '(include/node) in npm_config_nodedir, or use Node 22.14 or newer, which compiles nothing; then run this again.',
    );
  } else if (UNREACHABLE.test(output)) {
    parts.push(NO_REGISTRY);
  } else {
    parts.push('Please mend what it says, then run this again.');
  }
  return parts.join('\n');
}

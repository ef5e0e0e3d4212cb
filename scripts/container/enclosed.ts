/**
 * Runs an image without an engine, as strictly as compose.yaml: namespaces of its own, a read-only root, no
 * right of any kind, and the entry point as process 1.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { runCommand } from './command.ts';
import type { ImageConfig } from './dockerfile.ts';

/** How often an image is asked for its health, and the time (ms) between: a minute and more in all. */
const TRIES = 200;
const PAUSE_MS = 200;

/** The address at which an engine would reach a published port. */
export const ADDRESS = '172.31.255.2';

/** An image to run. It can write to the volume and, in memory, to /tmp. */
export type EnclosedParts = {
  readonly root: string;
  readonly config: ImageConfig;
  /** The directory that becomes the volume of the image. */
  readonly data: string;
  readonly args?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
};

export type Enclosed = {
  /** Everything that it has written so far. */
  text(): string;
  /** Runs a command beside it, with the same rights. @throws Error when it fails */
  run(words: readonly string[]): string;
  /** Runs a command of this machine in its network. @throws Error when it fails */
  reach(words: readonly string[]): string;
  /** Sends a signal to its process 1. */
  signal(name: string): void;
  /** Resolves once its health check succeeds. @throws Error with all that it wrote, when it does not */
  healthy(): Promise<void>;
  /** Ends all of it at once. */
  kill(): void;
  /** Resolves to its exit code. */
  readonly ended: Promise<number | null>;
};

/** Namespaces of its own, which end with the program that makes them. */
const APART = ['--mount', '--pid', '--net', '--ipc', '--uts', '--fork', '--kill-child'];

/** Started with the root as $1, the volume as $2 and its place as $3, then the command. */
const ENTER = `set -e
mount --make-rprivate /
mount --bind "$1" "$1"
mount --bind "$2" "$1$3"
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs "$1/tmp"
mount -t proc -o nosuid,nodev,noexec proc "$1/proc"
mount -o remount,bind,ro "$1"
ip link set lo up
ip link add eth0 type veth peer name eth1
ip address add ${ADDRESS}/24 dev eth0
ip link set eth0 up
ip link set eth1 up
root=$1; shift 3
exec chroot "$root" "$@"`;

/** Starts the entry point of an image. */
export function startEnclosed({ root, config, data, args = [], env }: EnclosedParts): Enclosed {
  const [volume = ''] = config.volumes;
  const inside = (words: readonly string[]) => [
    ...limited(config),
    ...['env', '--ignore-environment', `--chdir=${config.workdir}`],
    ...Object.entries({ ...config.env, ...env }).map(([name, value]) => `${name}=${value}`),
    ...words,
  ];
  const within = [root, data, volume, ...inside([...config.entrypoint, ...args])];
  const child = spawn('unshare', [...APART, '/bin/sh', '-c', ENTER, 'sh', ...within], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const enter = (kinds: readonly string[], words: readonly string[]) =>
    runCommand(['nsenter', `--target=${firstOf(child)}`, ...kinds, ...words]);
  const run = (words: readonly string[]) =>
    enter(['--mount', '--pid', '--net', '--root', '--wd'], inside(words));
  return {
    ended,
    run,
    text: () => text,
    async healthy() {
      for (let left = TRIES; ; left--)
        try {
          run(config.healthcheck ?? []);
          return;
        } catch (error) {
          if (left === 0 || child.exitCode !== null)
            throw new Error(`${(error as Error).message}\nIt wrote:\n${text}`, { cause: error });
          await setTimeout(PAUSE_MS);
        }
    },
    reach: (words) => enter(['--net'], words),
    kill: () => void child.kill('SIGKILL'),
    signal: (name) => void runCommand(['kill', '-s', name, firstOf(child)]),
  };
}

/** Returns the command that runs another one as the user of the image, without any right. */
function limited({ user }: ImageConfig): string[] {
  const [uid, gid] = user.split(':');
  return [
    ...['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs'],
    ...['--bounding-set=-all', '--inh-caps=-all'],
  ];
}

/**
 * Returns the process that is number 1 inside, as this machine numbers it.
 * @throws Error when it is not there, or not any more
 */
function firstOf({ pid }: ChildProcess): string {
  const first = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  if (first === '') throw new Error('Nothing runs inside.');
  return first;
}

/** Makes the root directory that a build starts from: a bare Debian with Node, like the image of Node. */
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './command.ts';

/** The parts of the image that the stages name. */
const OF_IMAGE = /^node:(\d+)-(\w+)-slim$/;
/** The npm that comes with Node 24. */
const NPM_MAJOR = 11;
const NODE_USER = 1000;

/**
 * Fills a new directory. Needs root, the program debootstrap, and a network.
 * @param image such as `node:24-bookworm-slim`
 * @throws Error when the image is another one, or something cannot be had
 */
export function makeBareRoot(directory: string, image: string): void {
  const [, node, debian = ''] = OF_IMAGE.exec(image) ?? [];
  if (!node) throw new Error(`${image} is no image of Node on a slim Debian.`);
  runCommand(['debootstrap', '--variant=minbase', debian, directory]);
  const local = join(directory, 'usr/local');
  unpack(`node-linux-${process.arch}@${node}`, local, 'bin/node');
  const npm = join(local, 'lib/node_modules/npm');
  unpack(`npm@${NPM_MAJOR}`, npm);
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, 'bin', name));
  appendFileSync(join(directory, 'etc/passwd'), `node:x:${NODE_USER}:${NODE_USER}::/home/node:/bin/bash\n`);
  appendFileSync(join(directory, 'etc/group'), `node:x:${NODE_USER}:\n`);
}

/** Unpacks a package of the registry, or one file of it, without installing it. */
function unpack(name: string, into: string, ...only: readonly string[]): void {
  const fetched = mkdtempSync(join(tmpdir(), 'fetched-'));
  try {
    runCommand(['npm', 'pack', '--silent', '--pack-destination', fetched, name]);
    const [archive = ''] = readdirSync(fetched);
    mkdirSync(into, { recursive: true });
    const files = only.map((file) => `package/${file}`);
    runCommand([
      ...['tar', '-xzf', join(fetched, archive), '-C', into, '--strip-components=1', '--no-same-owner'],
      ...files,
    ]);
  } finally {
    rmSync(fetched, { recursive: true, force: true });
  }
}

/** Disks that can be filled and emptied again without harm to other programs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';

export type SmallDisk = {
  folder: string;
  through: readonly string[];
  /** Fills the disk up, leaving space for little more than it holds. */
  fill(): void;
  makeRoom(pid: number): void;
  /** What the server's log says of the full disk. */
  complaint: string;
};

const KIB = 1024;

/** Limits the size of each file that the process writes, as a quota does. Works on every Linux. */
export function limitedFiles(): SmallDisk {
  return {
    folder: temporaryFolder(),
    // `ulimit -f` counts blocks of 512 bytes.
    through: ['sh', '-c', 'ulimit -S -f 1024; exec "$@"', 'sh'],
    fill: () => undefined,
    makeRoom: (pid) => void execFileSync('prlimit', [`--pid=${pid}`, '--fsize=unlimited']),
    complaint: 'the disk does not do what it is asked',
  };
}

/** Mounts a file system of 2 MB in memory. Returns undefined where this account may not mount one. */
export function smallFileSystem(): SmallDisk | undefined {
  const folder = temporaryFolder();
  if (
    process.platform !== 'linux' ||
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status !== 0
  )
    return undefined;
  // Runs before the folder is removed: vitest runs the callbacks in reverse order.
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
  const filler = join(folder, 'filler');
  return {
    folder,
    through: [],
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      appendFileSync(filler, Buffer.alloc(bavail * bsize - 256 * KIB));
    },
    makeRoom: () => rmSync(filler),
    complaint: 'the disk is full',
  };
}

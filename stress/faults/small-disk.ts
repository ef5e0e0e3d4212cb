/** Disks that can be made full, and be given room again, without harm to anybody else. */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './subject.ts';

export type SmallDisk = {
  folder: string;
  through: readonly string[];
  /** Leaves room for little more than is there. */
  fill(): void;
  makeRoom(pid: number): void;
  /** What the log says of it. */
  complaint: string;
};

const KIB = 1024;

/** A limit on the size of each file that the process writes, as a quota works: every Linux has it. */
export function limitedFiles(): SmallDisk {
  return {
    folder: temporaryFolder(),
    // In blocks of 512 bytes.
    through: ['sh', '-c', 'ulimit -S -f 1024; exec "$@"', 'sh'],
    fill: () => undefined,
    makeRoom: (pid) => void execFileSync('prlimit', [`--pid=${pid}`, '--fsize=unlimited']),
    complaint: 'the disk does not do what it is asked',
  };
}

/** A file system of two megabytes in memory; undefined where this account may not mount one. */
export function smallFileSystem(): SmallDisk | undefined {
  const folder = temporaryFolder();
  if (
    process.platform !== 'linux' ||
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status !== 0
  )
    return undefined;
  // Before the folder is removed: what is registered last is done first.
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

/** Folders for one test, on the disk or in memory. */
import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a directory that is removed after the test. Called in `beforeEach` or in the test itself. */
export function temporaryFolder(): string {
  return folderIn(tmpdir());
}

/**
 * Creates a directory as `temporaryFolder` does, in memory where that is possible: there a commit waits for no
 * disk. It is for the files of databases. No test cuts the power, so none sees a difference.
 */
export function folderInMemory(): string {
  memory ??= memoryOf('/dev/shm') ?? tmpdir();
  return folderIn(memory);
}

let memory: string | undefined;
const MIN_BYTES_FREE = 2 ** 30;

/** The directory, where it is a file system in memory with enough space; in a container it seldom has. */
function memoryOf(directory: string): string | undefined {
  try {
    const isMounted = readFileSync('/proc/self/mounts', 'utf8').includes(` ${directory} tmpfs rw`);
    const { bavail, bsize } = statfsSync(directory);
    return isMounted && bavail * bsize >= MIN_BYTES_FREE ? directory : undefined;
  } catch {
    return undefined;
  }
}

function folderIn(parent: string): string {
  const folder = mkdtempSync(join(parent, 'test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** For tests: makes a temporary directory for one test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes an empty directory, which is removed when the test ends. Returns its path. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'kit-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

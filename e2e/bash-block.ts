/** Runs what the documents tell the reader to paste into bash, so that a document whose commands no longer work fails a test. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Dozens of processes are started; in milliseconds. */
const LIMIT = 45_000;

/**
 * The one bash block of a Markdown file that has `mark` in it, as it stands there.
 * @throws {Error} when there is none, or more than one
 */
export function bashBlock(file: URL, mark: string): string {
  const blocks = [...readFileSync(file, 'utf8').matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const found = blocks.filter((block) => block.includes(mark));
  if (found.length !== 1) throw new Error(`${file.pathname} has ${found.length} bash blocks with ${mark}, not one.`);
  return found[0] as string;
}

/** The same block against other addresses; each one named must stand in it. */
export function withAddresses(block: string, addresses: Readonly<Record<string, string>>): string {
  return Object.entries(addresses).reduce((text, [documented, actual]) => {
    if (!text.includes(documented)) throw new Error(`The block does not name ${documented}.`);
    return text.replaceAll(documented, actual);
  }, block);
}

/**
 * Runs a block in bash, stopping at the first command that fails.
 * @returns what it wrote to standard output
 * @throws {Error} with what it wrote to standard error, when a command failed
 */
export async function runBash(block: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', `set -euo pipefail\n${block}`], { timeout: LIMIT });
  return stdout;
}

/** The answers in an output of lines `method: answer`, in their order. */
export function answersIn(output: string): { method: string; answer: Record<string, unknown> }[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => {
      const at = line.indexOf(': ');
      return { method: line.slice(0, at), answer: JSON.parse(line.slice(at + 2)) };
    });
}

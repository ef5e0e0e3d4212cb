/** Runs bash commands and scripts that the documents show, so that one that no longer works fails a test. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Time limit of a block in milliseconds: it starts dozens of processes. */
const BLOCK_TIMEOUT_MS = 45_000;

/** Replaces addresses in a block. The block must contain each of them. */
export function withAddresses(block: string, addresses: Readonly<Record<string, string>>): string {
  return Object.entries(addresses).reduce((text, [documented, actual]) => {
    if (!text.includes(documented)) throw new Error(`The block does not name ${documented}.`);
    return text.replaceAll(documented, actual);
  }, block);
}

/** Runs a block in bash up to the first command that fails. Returns its standard output. */
export async function runBash(block: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', `set -euo pipefail\n${block}`], {
    timeout: BLOCK_TIMEOUT_MS,
  });
  return stdout;
}

/** Returns the answers in an output with lines of the form `method: answer`, in order. */
export function answersIn(output: string): { method: string; answer: Record<string, unknown> }[] {
  return output
    .trimEnd()
    .split('\n')
    .map((line) => {
      const at = line.indexOf(': ');
      return { method: line.slice(0, at), answer: JSON.parse(line.slice(at + 2)) };
    });
}

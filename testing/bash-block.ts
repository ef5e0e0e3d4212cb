/** Runs the bash commands of the documents, so that a document whose commands no longer work fails a test. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** Time limit of a block in milliseconds: it starts dozens of processes. */
const BLOCK_TIMEOUT_MS = 45_000;

/**
 * Returns the only bash block of a Markdown file that contains `mark`, unchanged.
 * @throws {Error} when there is none, or more than one
 */
export function bashBlock(file: URL, mark: string): string {
  const blocks = [...readFileSync(file, 'utf8').matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(
    ([, block = '']) => block,
  );
  const found = blocks.filter((block) => block.includes(mark));
  if (found.length !== 1)
    throw new Error(`${file.pathname} has ${found.length} bash blocks with ${mark}, not one.`);
  return found[0] as string;
}

/** Replaces addresses in a block. The block must contain each of them. */
export function withAddresses(block: string, addresses: Readonly<Record<string, string>>): string {
  return Object.entries(addresses).reduce((text, [documented, actual]) => {
    if (!text.includes(documented)) throw new Error(`The block does not name ${documented}.`);
    return text.replaceAll(documented, actual);
  }, block);
}

/**
 * Runs a block in bash and stops at the first command that fails.
 * @returns its standard output
 * @throws {Error} with its standard error, when a command failed
 */
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

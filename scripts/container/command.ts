/** Runs programs of the system to their end. */
import { spawnSync } from 'node:child_process';

/**
 * Runs a program.
 * @param env its whole environment; absent: that of this process
 * @returns what it wrote to standard output
 * @throws Error with all that it wrote, when it is not there or fails
 */
export function runCommand(words: readonly string[], env?: Readonly<Record<string, string>>): string {
  const [program = '', ...args] = words;
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    ...(env && { env }),
  });
  if (error) throw new Error(`${program} could not be run: ${error.message}`, { cause: error });
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

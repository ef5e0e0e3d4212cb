/** For tests: runs the plain client of conformance/examples as a process, and drives it by lines of JSON. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { example } from './cli.ts';

/**
 * Starts the plain client, or, where `fault` is given, its twin with this fault. The process is killed after
 * the test.
 */
export function startPlainClient(flags: readonly string[], fault?: string) {
  const program = example(fault ? 'plain-client/faulty.mjs' : 'plain-client/client.mjs');
  const child = spawn(process.execPath, [program, ...flags], {
    env: { ...process.env, FAULTS: fault },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** Lets the client do one action of a user. Returns what the user then sees. */
    async act(action: Record<string, unknown>): Promise<{ sees: string; text: string }> {
      child.stdin.write(`${JSON.stringify(action)}\n`);
      return JSON.parse((await lines.next()).value as string);
    },
    /** Closes the client's input. Returns its exit code; null where a signal ended it. */
    async leave() {
      const exited = once(child, 'exit');
      child.stdin.end();
      return (await exited)[0] as number | null;
    },
  };
}

/** For tests: the plain client as a process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { example } from './cli.ts';

/** Starts the plain client, or its twin with one fault. */
export function startPlainClient(flags: readonly string[], fault?: string) {
  const program = example(fault ? 'plain-client/faulty.mjs' : 'plain-client/client.mjs');
  const child = spawn(process.execPath, [program, ...flags], {
    env: { ...process.env, FAULTS: fault },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async act(action: Record<string, unknown>): Promise<{ sees: string; text: string }> {
      child.stdin.write(`${JSON.stringify(action)}\n`);
      return JSON.parse((await lines.next()).value as string);
    },
    async leave() {
      const exited = once(child, 'exit');
      child.stdin.end();
      return (await exited)[0] as number | null;
    },
  };
}

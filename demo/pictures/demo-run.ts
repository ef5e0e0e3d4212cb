/** A demo of its own, with fresh data, for as long as the pictures are taken. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '#scripts/set-up/set-up.mjs';

/** `address` is that of the console, with the token. */
export async function startDemo(
  flags: readonly string[],
): Promise<{ address: string; stop(): Promise<void> }> {
  const data = mkdtempSync(join(tmpdir(), 'pictures-'));
  const command = ['scripts/run.mjs', 'demo/main.ts', '--fresh', '--data', data, '--patients', '0', ...flags];
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close').finally(() => rmSync(data, { recursive: true, force: true }));
  for await (const line of createInterface({ input: child.stdout })) {
    const [address] = /^http:\S+\?token=\S+$/.exec(line) ?? [];
    if (address === undefined) continue;
    child.stdout.resume();
    const stop = async () => {
      child.kill('SIGTERM');
      await ended;
    };
    return { address, stop };
  }
  throw new Error('The demo did not start.');
}

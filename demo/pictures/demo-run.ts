/** A demo of its own, with fresh data, for as long as the pictures are taken. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '#scripts/set-up/set-up.mjs';

export type DemoRun = {
  /** The address of the console, with its token. */
  address: string;
  stop(): Promise<void>;
};

/**
 * @param flags of the demo, such as other ports
 * @throws Error with what the demo said, when it ends before it is ready
 */
export async function startDemo(flags: readonly string[]): Promise<DemoRun> {
  const data = mkdtempSync(join(tmpdir(), 'pictures-'));
  const command = ['scripts/run.mjs', 'demo/main.ts', '--fresh', '--data', data, '--patients', '0', ...flags];
  const child = spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  for await (const line of createInterface({ input: child.stdout })) {
    said += `${line}\n`;
    const address = /Console +(http:\S+)/.exec(line)?.[1];
    if (address === undefined) continue;
    child.stdout.resume();
    return {
      address,
      async stop() {
        child.kill('SIGTERM');
        await ended;
        rmSync(data, { recursive: true, force: true });
      },
    };
  }
  rmSync(data, { recursive: true, force: true });
  throw new Error(`The demo did not start.\n${said}`);
}

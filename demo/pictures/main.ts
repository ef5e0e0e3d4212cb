/** `npm run pictures`: takes the pictures of README and docs/running.md from a demo in a real browser. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from '@playwright/test';
import { root } from '#scripts/set-up/set-up.mjs';
import { provideBrowser } from '#scripts/test/browser.ts';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import { createCamera, filmOf } from './camera.ts';
import { playFilm, takeWalk } from './scenes.ts';

const { args } = toolCommand('npm run pictures --')
  .description(
    'Makes docs/images/console.svg, the moving picture of the README, and the pictures of docs/running.md.',
  )
  .argument('[flags...]', 'flags of the demo after --, such as -- --console-port 5400')
  .parse();

const executablePath = await provideBrowser();
const demo = await startDemo(args);
const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
try {
  const camera = await createCamera(browser);
  write('console.svg', filmOf(await playFilm(browser, camera, demo.address)));
  for (const [name, picture] of await takeWalk(browser, camera, demo.address)) write(`${name}.webp`, picture);
} finally {
  await browser.close();
  await demo.stop();
}

function write(name: string, content: string | Buffer): void {
  const file = join('docs', 'images', name);
  mkdirSync(join(root, 'docs', 'images'), { recursive: true });
  writeFileSync(join(root, file), content);
  process.stdout.write(`Wrote ${file}, ${Math.ceil(Buffer.byteLength(content) / 1024)} KB\n`);
}

/** `address` is that of the console, with the token. */
async function startDemo(flags: readonly string[]): Promise<{ address: string; stop(): Promise<void> }> {
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

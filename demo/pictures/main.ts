/** `npm run pictures`: takes the pictures of README and docs/running.md from a demo in a real browser. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { root } from '#scripts/set-up/set-up.mjs';
import { provideBrowser } from '#scripts/test/browser.ts';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import { createCamera } from './camera.ts';
import { startDemo } from './demo-run.ts';
import { filmOf } from './film.ts';
import { playFilm, takeWalk } from './scenes.ts';

const { args } = toolCommand('npm run pictures --')
  .description(
    'Makes docs/images/console.svg, the moving picture of the README, and the pictures of docs/running.md.',
  )
  .argument('[flags...]', 'flags of the demo after --, such as -- --console-port 5400')
  .allowExcessArguments(true)
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

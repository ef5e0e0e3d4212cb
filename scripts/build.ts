/** `npm run build`: builds every program into one file each, for the demo, for the tests and for the published package. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { BuildError, buildAll } from './build/built-program.mjs';
import { removeOtherPages } from './build/client-pages.mjs';
import { root } from './set-up.mjs';

try {
  for (const file of await buildAll(root)) {
    process.stdout.write(`${file} ${Math.round(statSync(join(root, file)).size / 1024)} KiB\n`);
  }
  removeOtherPages(root);
} catch (error) {
  if (!(error instanceof BuildError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

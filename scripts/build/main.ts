/** `npm run build`: builds every program into one file each. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import { root } from '../set-up/set-up.mjs';
import { BuildError, buildAll } from './built-program.mjs';
import { removeOtherPages } from './pages.mjs';

const flags = toolCommand('npm run build --')
  .description('Builds every program into one file each, where its sources have changed.')
  .option('--for-package', 'remove what earlier builds left and a package would carry for nothing')
  .parse()
  .opts<{ forPackage?: true }>();

try {
  for (const file of await buildAll(root)) {
    process.stdout.write(`${file} (${Math.round(statSync(join(root, file)).size / 1024)} KiB)\n`);
  }
  if (flags.forPackage) removeOtherPages(root);
} catch (error) {
  if (!(error instanceof BuildError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

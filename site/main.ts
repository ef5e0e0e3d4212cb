/** `npm run site`: builds the site, and serves it on this machine when asked to. */
import { join } from 'node:path';
import { progress } from '#scripts/set-up/progress.mjs';
import { root } from '#scripts/set-up/set-up.mjs';
import { toolCommand } from '#service/process/command-line/tool-command.ts';

const { to, serve, port } = toolCommand('npm run site --')
  .description('Builds the site of the documents, the checks, the requirements and the errors.')
  .option('--to <directory>', 'where it goes, below the project', 'dist/site')
  .option('--serve', 'then serve it on this machine until Ctrl+C')
  .option('--port <number>', 'the port to serve at', '4500')
  .parse()
  .opts<{ to: string; serve?: true; port: string }>();

const building = progress('Building the site');
try {
  // Loads every table of the project, which the help does not need.
  const { buildSite } = await import('./build.ts');
  await buildSite(root, join(root, to));
  building.done();
} catch (error) {
  building.failed();
  throw error;
}
if (!serve) {
  process.stdout.write(`The site is in ${to}\n`);
} else {
  const { serveSite } = await import('./serve.ts');
  const { url } = await serveSite(join(root, to), Number(port));
  process.stdout.write(`The site is at ${url}\n`);
}

/** `npm run docs`: generates documents from the code, or with `--check` fails where one is stale or wrong. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '#scripts/set-up/set-up.mjs';
import { toolCommand } from '#service/process/command-line/tool-command.ts';

const { check } = toolCommand('npm run docs --')
  .description('Generates the documents that come from the code.')
  .option(
    '--check',
    'write nothing; fail when a document is stale, a requirement is not proven, a claim of SECURITY.md has no test or a link is broken',
  )
  .parse()
  .opts<{ check?: true }>();

// Loads every table of the project, which the help does not need.
const { checkDocs, generate } = await import('./generate.ts');
const problems = check ? checkDocs(root) : write();
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;

function write(): readonly string[] {
  const { files, problems } = generate(root);
  for (const [file, text] of files) {
    writeFileSync(join(root, file), text);
    process.stdout.write(`Wrote ${file}\n`);
  }
  return problems;
}

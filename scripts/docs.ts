/** `npm run docs`: generates the documents that come from the code; with `--check` it writes nothing and fails when one is stale or a requirement unproven. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import { checkDocs, generate } from './docs/generate.ts';
import { root } from './set-up.mjs';

const { check } = new Command('npm run docs --')
  .description(
    'Generates docs/protocol.md, requirements.md, checks.md, defects.md, settings.md and openrpc.json, and the numbers in README.md.',
  )
  .option(
    '--check',
    'write nothing; fail when a document is stale, a requirement is not proven, a claim of SECURITY.md has no test or a link is broken',
  )
  .parse()
  .opts<{ check?: true }>();

const problems = check ? checkDocs(root) : write();
for (const problem of problems) process.stdout.write(`${problem}\n`);
if (problems.length > 0) process.exitCode = 1;

function write(): string[] {
  const { files, problems } = generate(root);
  for (const [file, text] of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
    process.stdout.write(`Wrote ${file}\n`);
  }
  return [...problems];
}

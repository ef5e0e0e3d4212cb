import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse, stringify } from 'yaml';
import { example, runCli } from '../../../../testing/cli.ts';

const DEFECTS = example('plain-page/faults.mjs');

/** Judges the page in plain JavaScript with a defect by some checks. Returns what the kit says. */
async function saidOf(directory: string, defect: string, only: string): Promise<string> {
  const file = parse(readFileSync(example('plain-page.yaml'), 'utf8'));
  const { browser } = file;
  browser.address += `&defect=${defect}`;
  browser.start.command.push('--also', DEFECTS);
  browser.start.cwd = dirname(example('plain-page.yaml'));
  mkdirSync(directory, { recursive: true });
  const config = join(directory, `${defect}.yaml`);
  writeFileSync(config, stringify(file));
  const { output } = await runCli(
    'client',
    '--config',
    config,
    '--only',
    only,
    '--report',
    join(directory, defect),
  );
  return output;
}

for (const [defect, check, what] of [
  ['surname-in-title', 'signed-out-keeps-nothing', 'a field or the title has surname'],
  ['phone-in-field', 'signed-out-keeps-nothing', 'a field or the title has phone'],
  ['storage-in-console', 'no-secrets-in-logs', 'the log has the session token'],
  ['written-late', 'logout-forgets', 'it has name, surname'],
  ['markup-run', 'odd-records-shown', 'the page ran it'],
  ['token-in-header', 'no-secrets-in-headers', 'the header authorization has a secret'],
] as const)
  test(`a page with the defect ${defect} is found by ${check}`, async () => {
    const said = await saidOf(test.info().outputPath(''), defect, check);
    expect(said.replace(/\s+/g, ' ')).toContain(what);
  });

test('a page that pauses before it shows an answer is read after its pauses', async () => {
  const only = 'exchange-token-first,wrong-code-told,logout-ehr-first';
  expect(await saidOf(test.info().outputPath(''), 'pauses', only)).toContain('3 passed, 0 failed');
});

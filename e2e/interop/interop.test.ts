import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { wholePage } from '#conformance/engine/report/testing/pages.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { flows as allFlows, chosenFlows } from '../flows/index.ts';
import { partiesParts } from '../testing/parties-parts.ts';
import { matrixPage } from './html.ts';
import { isGreen, playMatrix } from './play.ts';
import { jsonOf, markdownOf } from './report.ts';
import { loadMatrix } from './settings.ts';
import { terminalTable } from './terminal-table.ts';

/** Writes the file of a matrix. */
function matrixFile(text: string): string {
  const directory = temporaryFolder();
  const file = join(directory, 'parties.yaml');
  writeFileSync(file, text);
  return file;
}

test('each combination is a cell, and a red one names its first difference', async () => {
  const faulty = resolve('conformance/examples/plain-js-faulty.yaml');
  const file = matrixFile(`authServers: [ours, ${faulty}]\npairs: [msw]\n`);
  const env = { ...process.env, FAULTS: 'digest-upper-case' };
  const combinations = await loadMatrix(file, env);
  const flows = chosenFlows(['first-link', 'entry-removed']);
  if (typeof flows === 'string') throw new Error(flows);
  const cells = await playMatrix({ combinations, flows }, { ...partiesParts(), env }, () => undefined);
  expect(cells.map(isGreen)).toEqual([true, false, true]);
  const lines = terminalTable(cells).split('\n');
  expect(lines[0]).toMatch(/^Client +Authorization server +our EHR server +our EHR server, as$/);
  for (const row of [
    /^our web client, without +our authorization +✓ 2 passed +not played$/,
    / Plain JavaScript server +✗ 0 passed, 1 failed, .*not played$/,
    / our authorization +not played +✓ 1 passed, 1 left out$/,
  ])
    expect(lines).toContainEqual(expect.stringMatching(row));
  const difference =
    'authorization server to EHR server: embedded_storage.save_exchange_token, answered with not_authorized';
  for (const text of [markdownOf(cells), wholePage(matrixPage(cells)), jsonOf(cells)]) {
    expect(text).toContain(difference);
    expect(text).toContain('no step removeCorrespondence');
    expect(text).not.toMatch(/Petrova|79995550000/);
  }
});

test('the names of the flows are unique', () =>
  expect(new Set(allFlows.map(({ name }) => name)).size).toBe(allFlows.length));

test('a file of a matrix that cannot be used is told with its place', async () => {
  await expect(loadMatrix('no-such.yaml', {})).rejects.toThrow(
    'Failed to read the list of parties no-such.yaml: there is no such file.',
  );
  await expect(loadMatrix(matrixFile('servers: [ours]\n'), {})).rejects.toThrow(
    'parties.yaml:1:1 servers: is not known',
  );
  await expect(loadMatrix(matrixFile('clients: all\n'), {})).rejects.toThrow(
    'parties.yaml:1:10 clients: must be a list of files; given is "all".',
  );
  await expect(loadMatrix(matrixFile('clients: [no-such.yaml]\n'), {})).rejects.toThrow(
    'there is no such file',
  );
  const other = resolve('conformance/examples/plain-ehr.yaml');
  await expect(loadMatrix(matrixFile(`clients: [${other}]\n`), {})).rejects.toThrow(
    'Please give it as --ehr-server.',
  );
});

import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { wholePage } from '#conformance/engine/report/testing/pages.ts';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { flows as allFlows, chosenFlows } from '../flows/index.ts';
import { partiesParts } from '../testing/parties-parts.ts';
import { type Cell, isGreen, playMatrix } from './play.ts';
import { jsonOf, markdownOf, matrixPage, terminalTable } from './report.ts';
import { loadMatrix } from './settings.ts';

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

const flow = (outcome: 'passed' | 'failed' | 'left out') => ({
  ...{ name: 'first-link', outcome, because: undefined, difference: undefined },
});
const cell = (client: string, auth: string, ehr: string): Cell => ({
  names: { client, 'auth-server': auth, 'ehr-server': ehr },
  flows: [...Array.from({ length: 27 }, () => flow('passed')), flow('failed'), flow('left out')],
  notStarted: undefined,
  seconds: 1,
});

test('names that fit stand in one line, with a line below the head', () => {
  expect(terminalTable([cell('a client', 'A', 'E1'), cell('a client', 'B', 'E2')])).toBe(
    [
      'Client    Authorization server  E1                                 E2',
      '────────  ────────────────────  ─────────────────────────────────  ─────────────────────────────────',
      'a client  A                     ✗ 27 passed, 1 failed, 1 left out  not played',
      'a client  B                     not played                         ✗ 27 passed, 1 failed, 1 left out',
    ].join('\n'),
  );
});

test('a matrix of many long names fits 100 columns, whole', () => {
  const names = (what: string, most: number) =>
    Array.from({ length: most }, (_, index) => `The ${what} number${index} of a maker with a long name`);
  const cells = names('client', 2).flatMap((client) =>
    names('authorization server', 2).flatMap((auth) =>
      names('EHR server', 7).map((ehr) => cell(client, auth, ehr)),
    ),
  );
  const text = terminalTable(cells);
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
  for (let index = 0; index < 7; index++) expect(text.split(`number${index}`).length).toBeGreaterThan(1);
  expect(text.match(/✗/g)).toHaveLength(28);
});

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { Folder } from './folder.ts';
import { FAULTY_EHR, folderWith, useTools } from './testing/in-memory.ts';

/** A folder with links that lead out of it, and the folder beside it. */
function withLinks() {
  const inside = folderWith(...FAULTY_EHR);
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'secret.yaml'), 'a: secret\n');
  symlinkSync(join(outside, 'secret.yaml'), join(inside, 'link.yaml'));
  symlinkSync(outside, join(inside, 'linked'));
  symlinkSync(join(outside, 'not-yet'), join(inside, 'dangling'));
  symlinkSync(join(outside, 'not-yet'), join(inside, 'beside.sh'));
  return { inside, outside };
}

test('a path that leads out of the folder is refused, however it does', async () => {
  const { inside, outside } = withLinks();
  const { call } = await useTools(inside);
  const escapes = [
    '..',
    '../secret.yaml',
    'a/../../secret.yaml',
    join(outside, 'secret.yaml'),
    'link.yaml',
    'linked/secret.yaml',
    'linked/new/report',
    'dangling',
    'dangling/report',
  ];
  for (const path of escapes)
    for (const [tool, input] of [
      ['doctor', { role: 'ehr-server', config: path }],
      ['judge', { role: 'ehr-server', config: 'plain-ehr-faulty.yaml', report: path }],
      ['causes', { report: path }],
      ['case', { role: 'ehr-server', config: 'plain-ehr-faulty.yaml', check: 'digest-shape', out: path }],
      ['rerun', { report: path }],
    ] as const) {
      const { text, isError } = await call(tool, input);
      expect([tool, path, isError, text]).toEqual([
        tool,
        path,
        true,
        expect.stringContaining('leads out of'),
      ]);
      expect(text).not.toContain('a: secret');
    }
  const party = { role: 'ehr-server', config: 'plain-ehr-faulty.yaml', check: 'digest-shape' };
  const besides = await call('case', { ...party, out: 'beside.mjs' });
  expect(besides).toEqual({ isError: true, text: expect.stringContaining('leads out of') });
  expect(existsSync(join(outside, 'not-yet'))).toBe(false);
  expect(existsSync(join(outside, 'new'))).toBe(false);
});

test('a report that names a file outside is not played', { timeout: 60_000 }, async () => {
  const { inside } = withLinks();
  const { call } = await useTools(inside);
  const party = { role: 'ehr-server', config: 'plain-ehr-faulty.yaml', only: 'exchange-token-used-once' };
  await call('judge', party);
  const file = join(inside, 'conformance-report', 'report.json');
  const report = JSON.parse(readFileSync(file, 'utf8')) as { meta: { file: string } };
  report.meta.file = '../link.yaml';
  writeFileSync(file, JSON.stringify(report));
  const { text, isError } = await call('rerun', {});
  expect([isError, text]).toEqual([true, expect.stringMatching(/^The report names .* leads out of/)]);
});

test('paths inside are taken, of files that are not there yet, too', () => {
  const root = temporaryFolder();
  mkdirSync(join(root, 'real'));
  symlinkSync(join(root, 'real'), join(root, 'link'));
  const folder = new Folder(root);
  const real = (path: string) => join(folder.root, path);
  expect(folder.within('config', '.')).toBe(folder.root);
  expect(folder.within('config', 'a/b/../c')).toBe(real('a/c'));
  expect(folder.within('config', '..a')).toBe(real('..a'));
  expect(folder.within('config', 'link/new')).toBe(real('real/new'));
  expect(folder.within('config', join(root, 'real'))).toBe(real('real'));
});

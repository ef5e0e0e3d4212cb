import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { InputError } from '../../journal/input-file.ts';
import { fakeReport, fakeRun } from '../testing/fake-run.ts';
import { compareFiles } from './compare.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'compare-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('two reports are read and compared, the earlier first', () => {
  const fake = fakeRun({ crowd: 1 });
  const [before, after] = [join(directory, 'a.json'), join(directory, 'b.json')];
  writeFileSync(before, JSON.stringify(fakeReport(fake)));
  writeFileSync(
    after,
    JSON.stringify(fakeReport({ ...fake, verdicts: fake.verdicts.filter(({ outcome }) => outcome !== 'fail') })),
  );
  expect(compareFiles(before, after)).toMatchObject({ exitCode: 0, text: expect.stringContaining('removed (2)') });
  expect(compareFiles(after, before)).toMatchObject({
    exitCode: 1,
    text: expect.stringMatching(/added \(2\)\n {2}✕ auth-info-ttl \(not asked → fail\)[\s\S]*\nworse$/),
  });
});

test('a file that is no report is refused', () => {
  expect(() => compareFiles(join(directory, 'none.json'), join(directory, 'none.json'))).toThrow(InputError);
});

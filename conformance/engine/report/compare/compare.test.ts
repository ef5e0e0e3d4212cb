import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InputError } from '../../journal/input-file.ts';
import { temporaryDirectory } from '../../journal/testing/directory.ts';
import { fakeReport, fakeRun } from '../testing/fake-run.ts';
import { compareFiles } from './compare.ts';

test('two reports are read and compared, the earlier first', () => {
  const fake = fakeRun({ crowd: 1 });
  const directory = temporaryDirectory();
  const [before, after] = [join(directory, 'a.json'), join(directory, 'b.json')];
  const verdicts = fake.verdicts.filter(({ outcome }) => outcome !== 'fail');
  writeFileSync(before, JSON.stringify(fakeReport(fake)));
  writeFileSync(after, JSON.stringify(fakeReport({ ...fake, verdicts })));
  expect(compareFiles(before, after)).toMatchObject({
    exitCode: 0,
    text: expect.stringContaining('removed (2)'),
  });
  expect(compareFiles(after, before)).toMatchObject({
    exitCode: 1,
    text: expect.stringMatching(/added \(2\)\n {2}✕ auth-info-ttl \(not asked → fail\)[\s\S]*\nworse$/),
  });
});

test('a file that is no report is refused', () => {
  const none = join(temporaryDirectory(), 'none.json');
  expect(() => compareFiles(none, none)).toThrow(InputError);
});

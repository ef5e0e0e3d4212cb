import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { readRun } from '../journal/input-file.ts';
import { readReport } from './schema/schema.ts';
import { fakeReport, fakeRun } from './testing/fake-run.ts';
import { elementsOf, readXml } from './testing/read-xml.ts';
import { writeReports } from './write.ts';

const FILES = ['run.json', 'report.json', 'junit.xml', 'summary.md', 'report.html'];

test.each([{ finished: true }, { finished: false }])(
  'all files are written whole and can be read, finished $finished',
  ({ finished }) => {
    // A small crowd: fewer messages to write.
    const fake = fakeRun({ crowd: 2, finished });
    const report = fakeReport(fake);
    const below = join(temporaryFolder(), 'deep', 'reports');
    const { paths, problem } = writeReports({ directory: below, run: fake.run, report });
    const at = (name: string) => join(below, name);
    expect([paths, problem]).toEqual([FILES.map(at), undefined]);
    expect(readdirSync(below).sort()).toEqual([...FILES].sort());
    expect(readRun(at('run.json')).entries).toHaveLength(fake.run.entries.length);
    expect(readReport(at('report.json'))).toEqual(JSON.parse(JSON.stringify(report)));
    // That a run was broken off is a test case, too.
    const cases = fake.verdicts.length + (finished ? 0 : 1);
    expect(elementsOf(readXml(readFileSync(at('junit.xml'), 'utf8')), 'testcase')).toHaveLength(cases);
    expect(readFileSync(at('report.html'), 'utf8').endsWith('</html>\n')).toBe(true);
  },
);

test('a file that cannot be written is named, and the others are written', () => {
  const directory = temporaryFolder();
  mkdirSync(join(directory, 'junit.xml'));
  const fake = fakeRun({ crowd: 1 });
  const { paths, problem } = writeReports({ directory, run: fake.run, report: fakeReport(fake) });
  expect(paths).toHaveLength(FILES.length - 1);
  expect(problem).toBe(
    `Failed to write ${join(directory, 'junit.xml')}: illegal operation on a directory (EISDIR).`,
  );
});

import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { readRun } from '../journal/input-file.ts';
import { readReport } from './schema/schema.ts';
import { fakeReport, fakeRun } from './testing/fake-run.ts';
import { wholePage } from './testing/pages.ts';
import { elementsOf, readXml } from './testing/read-xml.ts';
import { writeReports } from './write.ts';

const FILES = ['run.json', 'report.json', 'junit.xml', 'summary.md', 'report.html'];

test.each([{ finished: true }, { finished: false }])(
  'all files are written whole and can be read, finished $finished',
  ({ finished }) => {
    const fake = fakeRun({ crowd: 2, finished });
    const report = fakeReport(fake);
    const below = join(temporaryFolder(), 'deep', 'reports');
    const { paths, problem } = writeReports({ directory: below, run: fake.run, report });
    const at = (name: string) => join(below, name);
    expect([paths, problem]).toEqual([FILES.map(at), undefined]);
    expect(readdirSync(below).sort()).toEqual([...FILES].sort());
    expect(readRun(at('run.json')).entries).toHaveLength(fake.run.entries.length);
    expect(readReport(at('report.json')).summary).toEqual(report.summary);
    expect(elementsOf(readXml(readFileSync(at('junit.xml'), 'utf8')), 'testcase')).toHaveLength(
      finished ? 18 : 19,
    );
    expect(readFileSync(at('report.html'), 'utf8').endsWith('</html>\n')).toBe(true);
  },
);

test('reports of an earlier run are replaced', () => {
  const directory = temporaryFolder();
  const broken = fakeRun({ crowd: 1, finished: false });
  writeReports({ directory, run: broken.run, report: fakeReport(broken) });
  const whole = fakeRun({ crowd: 1 });
  writeReports({ directory, run: whole.run, report: fakeReport(whole) });
  const at = (name: string) => join(directory, name);
  expect(readReport(at('report.json')).summary.finished).toBe(true);
  expect(wholePage(readFileSync(at('report.html'), 'utf8'))).not.toContain('broken off');
});

test('links that somebody planted in the directory are replaced, and none is followed', () => {
  const directory = temporaryFolder();
  const theirs = join(directory, 'theirs');
  writeFileSync(theirs, 'theirs');
  const reports = join(directory, 'reports');
  mkdirSync(reports);
  for (const name of FILES)
    for (const end of ['', '.partial', `.partial-${process.pid}`])
      symlinkSync(theirs, join(reports, name + end));
  const { run, ...fake } = fakeRun({ crowd: 1 });
  const { problem } = writeReports({ directory: reports, run, report: fakeReport({ run, ...fake }) });
  expect(problem).toBeUndefined();
  expect(readFileSync(theirs, 'utf8')).toBe('theirs');
  for (const name of FILES) expect(lstatSync(join(reports, name)).isFile(), name).toBe(true);
});

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

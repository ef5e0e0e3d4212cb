import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readRun } from '../journal/run-file.ts';
import { readReport } from './schema/schema.ts';
import { fakeReport, fakeRun } from './testing/fake-run.ts';
import { elementsOf, readXml } from './testing/read-xml.ts';
import { writeReports } from './write.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'reports-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test.each([{ finished: true }, { finished: false }])(
  'all four files are written whole and can be read, finished $finished',
  ({ finished }) => {
    const fake = fakeRun({ crowd: 2, finished });
    const report = fakeReport(fake);
    const below = join(directory, 'deep', 'reports');
    const paths = writeReports({ directory: below, run: fake.run, report });
    expect(readdirSync(below).sort()).toEqual(['junit.xml', 'report.html', 'report.json', 'run.json']);
    expect(readRun(paths.run).entries).toHaveLength(fake.run.entries.length);
    expect(readReport(paths.json).summary).toEqual(report.summary);
    expect(elementsOf(readXml(readFileSync(paths.junit, 'utf8')), 'testcase')).toHaveLength(finished ? 40 : 41);
    expect(readFileSync(paths.html, 'utf8').endsWith('</html>\n')).toBe(true);
  },
);

test('reports of an earlier run are replaced', () => {
  const broken = fakeRun({ crowd: 1, finished: false });
  writeReports({ directory, run: broken.run, report: fakeReport(broken) });
  const whole = fakeRun({ crowd: 1 });
  const paths = writeReports({ directory, run: whole.run, report: fakeReport(whole) });
  expect(readReport(paths.json).summary.finished).toBe(true);
  expect(readFileSync(paths.html, 'utf8')).not.toContain('broken off');
});

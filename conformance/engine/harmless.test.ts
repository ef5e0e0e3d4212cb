/** What a party says acts on no output of the kit: one table of hostile values, and every output. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { exitCodeFor } from './cli/commands/process.ts';
import { harmless, inOneLine, quoted } from './harmless.ts';
import { InputError } from './input-error.ts';
import { annotate, annotationsOf, tellStop } from './report/ci/github.ts';
import { summaryOf } from './report/ci/summary.ts';
import { junitOf } from './report/junit.ts';
import { consoleReporter } from './report/terminal/console.ts';
import { fakeReport, fakeRun, known } from './report/testing/fake-run.ts';
import { HOSTILE, hostile, MARKS } from './report/testing/hostile.ts';
import { htmlOf } from './report/viewer/page.ts';
import { writeReports } from './report/write.ts';

const fake = fakeRun({ crowd: 1 });
const report = hostile(fakeReport(fake, { baseline: [known('digest-shape')] }));
const notSetUp = hostile(
  fakeReport({ ...fake, verdicts: [] }, { notSetUp: [{ problem: 'p', remedy: 'r' }] }),
);

test('marks become visible escapes, and letters of people stay', () => {
  for (const mark of MARKS) expect(harmless(`a${mark}b`)).toMatch(/^a(?:\\u[0-9a-f]{4}){1,2}b$/);
  expect(harmless('\ud800')).toBe('\ufffd');
  expect(harmless('tab\tline\nбуква ‹phone 1› 😀')).toBe('tab\tline\nбуква ‹phone 1› 😀');
  expect(inOneLine('a\n  ::error::b')).toBe('a ::error::b');
  expect(quoted('a\nb')).toBe('"a b"');
  // Blanks take minutes where each of them begins a search.
  expect(inOneLine(`a${' '.repeat(400_000)}b`)).toHaveLength(400_002);
  expect(JSON.parse(harmless(JSON.stringify(MARKS)))).toEqual(MARKS);
});

/** What an output writes to a screen, a file or a build log. */
const written = (write: (say: (text: string) => void) => void): string => {
  let text = '';
  write((more) => {
    text += more;
  });
  return text;
};

const reporterOn = (say: (text: string) => void) =>
  consoleReporter({ screen: { write: say, columns: 60 }, env: {}, total: 8 });
const gitHub = (say: (text: string) => void) => ({ env: { GITHUB_ACTIONS: 'true' }, say, warn: say });
const hostileMessage = hostile('x');

const OUTPUTS: Record<string, () => string> = {
  'the report on a terminal': () => written((say) => reporterOn(say).finish({ report, paths: [] })),
  'a report without verdicts': () =>
    written((say) => reporterOn(say).finish({ report: notSetUp, paths: [] })),
  'the progress': () =>
    written((say) => {
      for (const entry of hostile(fake.run.entries, 'entries')) reporterOn(say).progress(entry);
    }),
  'a line': () => written((say) => reporterOn(say).line(HOSTILE)),
  'a diagnosis': () =>
    written((say) =>
      reporterOn(say).diagnosis({ title: 'x', ok: false, found: HOSTILE, remedy: HOSTILE } as never),
    ),
  'an error': () =>
    written((say) => {
      vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
        say(String(text));
        return true;
      });
      exitCodeFor(new InputError(hostileMessage));
      vi.restoreAllMocks();
    }),
  'the page': () => htmlOf(report).replace(/<(style|script)[\s\S]*?<\/\1>/g, ''),
  JUnit: () => junitOf(report),
  'the summary': () => summaryOf(report),
  'the report as JSON': () => {
    const directory = temporaryFolder();
    writeReports({ directory, run: fake.run, report });
    return readFileSync(join(directory, 'report.json'), 'utf8');
  },
  annotations: () =>
    written((say) =>
      annotate(annotationsOf(report, { path: HOSTILE, text: HOSTILE }), gitHub(say)),
    ).replaceAll(/^::(?:error|warning|notice) /gm, ''),
  'the annotation of an error': () =>
    written((say) =>
      tellStop({ error: hostileMessage, text: hostileMessage, exitCode: 2 }, gitHub(say)),
    ).replace(/^::error /, ''),
};

test.each(Object.entries(OUTPUTS))(
  '%s shows what a party says, without marks and commands',
  (_name, output) => {
    const text = output();
    // The hostile value has arrived, with its command disarmed.
    expect(text).toContain(':error');
    for (const mark of MARKS) expect(text.includes(mark), JSON.stringify(mark)).toBe(false);
    expect(text.split('\n').filter((line) => /^\s*::|##\w*\[/.test(line))).toEqual([]);
  },
);

import { expect, test } from 'vitest';
import { fakeReport, fakeRun, known } from '../testing/fake-run.ts';
import { HOSTILE, hostile } from '../testing/hostile.ts';
import { summaryOf } from './summary.ts';

const fake = fakeRun({ crowd: 1 });

test('the summary has the verdicts, the counts and each cause with what to do', () => {
  const report = fakeReport(fake);
  const summary = summaryOf(report);
  expect(summary).toMatch(/^## Acme Identity 7\.2 \(staging\): not conformant\n\n\| \| Part \| Verdict \|\n/);
  expect(summary).toContain(`| ✕ | **Interface** | ${report.summary.parts.interface.headline} |`);
  expect(summary).toContain(`| ✓ | **Safety** | ${report.summary.parts.safety.headline} |`);
  expect(summary).toContain('11 passed, 2 failed, 1 inconclusive, 2 warnings,');
  expect(summary).toContain('- ✕ **auth-info-ttl**, interface MUST, §2.3:<br>');
  expect(summary).toContain('  **To do:** Send ttl as a JSON number, in minutes: 1440, not "86400".');
  expect(summary.match(/^- /gm)).toHaveLength(report.causes.length);
});

test('of many checks with one cause five others are named', () => {
  const report = fakeReport(fake);
  const [first] = report.verdicts.filter(({ outcome }) => outcome === 'fail');
  if (!first) throw new Error('no failure');
  const checks = Array.from({ length: 9 }, (_, index) => `check-${index}`);
  const verdicts = checks.map((check) => ({ ...first, check }));
  const summary = summaryOf({ ...report, verdicts, causes: [{ cause: 'It.', check: 'check-3', checks }] });
  expect(summary).toMatch(/^- ✕ \*\*check-3\*\*/m);
  expect(summary).toMatch(/^ {2}Shows also in check-0, .*check-5 and 3 more\.$/m);
});

test('a known failure is no cause, and an outdated entry is named', () => {
  const summary = summaryOf(fakeReport(fake, { baseline: [known('auth-info-ttl'), known('digest-shape')] }));
  expect(summary).not.toContain('**auth-info-ttl**');
  expect(summary).toContain('- `digest-shape`: ');
});

test('a set-up that is not ready is told with its remedy, without verdicts', () => {
  const notSetUp = [{ problem: 'No server.', remedy: 'Start it.' }];
  const summary = summaryOf(fakeReport({ ...fake, verdicts: [] }, { notSetUp }));
  expect(summary).toContain(': not set up\n\n- **No server.** To do: Start it.\n');
  expect(summary).not.toContain('Interface');
});

test('whatever stands in the run, it is text and no mark-up', () => {
  const summary = summaryOf(hostile(fakeReport(fake)));
  expect(summary).toContain('&#60;script&#62;globalThis.harmed=1&#60;/script&#62;');
  expect(summary).not.toContain(HOSTILE.slice(0, 8));
  expect(summary.replaceAll('<br>', '')).not.toMatch(/<|\p{Cc}(?<!\n)/u);
});

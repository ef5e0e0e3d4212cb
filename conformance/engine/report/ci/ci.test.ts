import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import type { Report } from '../schema/schema.ts';
import { fakeReport, fakeRun, known } from '../testing/fake-run.ts';
import { HOSTILE, hostile } from '../testing/hostile.ts';
import { annotate, annotationsOf, type GitHub, tellRun, tellStop } from './github.ts';
import { summaryOf } from './summary.ts';

const fake = fakeRun({ crowd: 1 });
const FILE = { path: 'own/acme.yaml', text: '# Acme\nname: Acme\nsteps:\n  confirmOtp:\n    path: /code\n' };
const annotated = (report: Report) => annotationsOf(report, FILE);

/** GitHub as a step finds it, with what was written to it. */
function fakeGitHub(env: Record<string, string> = {}) {
  const written = { said: '', warned: '' };
  const github: GitHub = {
    env: { GITHUB_ACTIONS: 'true', ...env },
    say(text) {
      written.said += text;
    },
    warn(text) {
      written.warned += text;
    },
  };
  return { github, written };
}

test('each cause is an annotation at its step, the red ones as errors', () => {
  const found = annotated(fakeReport(fake)).map(({ title, level, line }) => [title, level, line]);
  expect(found).toContainEqual(['auth-info-ttl', 'error', 3]);
  expect(found).toContainEqual(['wrong-code-refused', 'error', 4]);
  expect(found).toContainEqual(['answer-in-time', 'warning', 3]);
  const lines = annotationsOf(fakeReport(fake), { path: 'acme.ts', text: 'export default [{' });
  expect(lines.map(({ line }) => line)).toEqual(found.map(() => 1));
});

test('without a cause a run that fails is an error too', () => {
  const notSetUp = [{ problem: 'No server.', remedy: 'Start it.' }];
  expect(annotated(fakeReport({ ...fake, verdicts: [] }, { notSetUp }))).toEqual([
    { level: 'error', title: 'Not set up', text: 'No server.\nTo do: Start it.', file: FILE.path, line: 1 },
  ]);
  expect(annotated(fakeReport({ ...fake, verdicts: [] }))).toMatchObject([
    { level: 'error', title: 'nothing judged' },
  ]);
  const green = fake.verdicts.filter(({ outcome }) => outcome === 'pass');
  expect(annotated(fakeReport({ ...fake, verdicts: green }))).toEqual([]);
  const baseline = [known('digest-shape')];
  expect(annotated(fakeReport({ ...fake, verdicts: green }, { baseline }))).toMatchObject([
    { level: 'error', title: 'Known failure: digest-shape' },
  ]);
});

test('an annotation is one line, whatever its texts are', () => {
  const { github, written } = fakeGitHub();
  annotate(
    [{ level: 'error', title: 'a: b, c', text: '50 %\r\n::set-env', file: 'x,y.yaml', line: 3 }],
    github,
  );
  expect(written.said).toBe(
    '::error file=x%2Cy.yaml,line=3,title=a%3A b%2C c::50 %25\\u000d%0A\\u003a:set-env\n',
  );
  const report = hostile(fakeReport(fake));
  annotate(annotated(report), github);
  expect(written.said.split('\n').filter((line) => !/^::(error|warning|notice) |^$/.test(line))).toEqual([]);
});

test('outside of GitHub nothing is said', () => {
  const { github, written } = fakeGitHub({ GITHUB_ACTIONS: '' });
  tellRun({ report: fakeReport(fake), config: 'acme.yaml', directory: 'reports' }, github);
  tellStop({ error: new Error('x'), text: 'x', exitCode: 3 }, github);
  expect(written).toEqual({ said: '', warned: '' });
});

test('a file of GitHub that cannot be written is named', () => {
  const directory = temporaryFolder();
  const outputs = join(directory, 'outputs');
  mkdirSync(join(directory, 'summary'));
  const env = { GITHUB_STEP_SUMMARY: join(directory, 'summary'), GITHUB_OUTPUT: outputs };
  const { github, written } = fakeGitHub(env);
  tellRun({ report: fakeReport(fake), config: 'acme.yaml', directory: 'reports' }, github);
  expect(written.warned).toBe(
    'Failed to write the file of GITHUB_STEP_SUMMARY: illegal operation on a directory (EISDIR).\n',
  );
  expect(readFileSync(outputs, 'utf8')).toContain('verdict=not conformant\n');
});

test('a command that ended without verdicts says why', () => {
  const outputs = join(temporaryFolder(), 'outputs');
  const { github, written } = fakeGitHub({ GITHUB_OUTPUT: outputs });
  for (const exitCode of [2, 3, 130]) tellStop({ error: undefined, text: 'Why.', exitCode }, github);
  const verdicts = ['not set up', 'a fault of the kit', 'broken off'];
  expect(written.said).toBe(verdicts.map((verdict) => `::error title=${verdict}::Why.\n`).join(''));
  expect(readFileSync(outputs, 'utf8')).toBe(verdicts.map((verdict) => `verdict=${verdict}\n`).join(''));
});

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

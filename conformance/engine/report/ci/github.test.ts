import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import type { Report } from '../schema/schema.ts';
import { fakeReport, fakeRun, known } from '../testing/fake-run.ts';
import { hostile } from '../testing/hostile.ts';
import { annotationsOf, tellRun } from './annotations.ts';
import { annotate, type GitHub, tellStop } from './github.ts';

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
  expect(written.said).toBe('::error file=x%2Cy.yaml,line=3,title=a%3A b%2C c::50 %25\\u000d%0A::set-env\n');
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

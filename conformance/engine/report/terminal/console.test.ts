import { expect, test } from 'vitest';
import type { Report } from '../schema/schema.ts';
import { type FakeRun, fakeReport, fakeRun, known, withMessages } from '../testing/fake-run.ts';
import { consoleReporter, reportText } from './console.ts';

const fake = fakeRun({ crowd: 3 });
const plain = (_style: unknown, text: string) => text;
const textOf = (report: Report) =>
  reportText(report, { paint: plain, width: 80, paths: ['out/report.html'] });

test('the report reads well at 80 columns', () => {
  const lines = textOf(fakeReport(fake)).split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test('the causes come in order, each in three lines at most', () => {
  const report = fakeReport(fake);
  const text = textOf(report);
  const list = text.slice(
    text.indexOf('── 5 causes of 5 checks that are not green ─'),
    text.indexOf('\n\n11 passed'),
  );
  const heads = report.causes.map(({ check, checks }) => list.indexOf(`${check ?? checks[0]}: `));
  expect(heads).not.toContain(-1);
  expect(heads).toEqual([...heads].sort((a, b) => a - b));
  const lines = list.split('\n');
  expect(lines.length).toBeLessThanOrEqual(3 * report.causes.length);
  expect(lines).toContain('  to do: Send ttl as a JSON number, in minutes: 1440, not "86400".');
  expect(text).toContain('11 passed, 2 failed, 1 inconclusive, 2 warnings,');
  expect(text).toMatch(
    /\nInterface {3}not conformant: 2 broken, 1 could not be judged \(.*\)\nSafety {6}2 recommendations \(.*\)$/s,
  );
});

test('a report of many causes has at most a hundred lines', () => {
  const [first] = fake.verdicts.filter(({ outcome }) => outcome === 'fail');
  if (!first) throw new Error('no failure');
  const report = fakeReport(fake);
  const many = Array.from({ length: 90 }, (_, index) => `check-${index}`);
  const cause = 'It does not hold. '.repeat(20);
  const text = textOf({
    ...report,
    verdicts: many.map((check) => ({ ...first, check, clause: '§1', known: undefined as never })),
    causes: many.map((check) => ({ cause, check, checks: [check], advice: 'Do it.' })),
  });
  expect(text.split('\n').length).toBeLessThanOrEqual(100);
  expect(text).toContain('  … and 75 more causes, in the report');
});

test('a failure is told with requirement, expectation, evidence, blame and advice', () => {
  const text = textOf(fakeReport(fake));
  const card = text.slice(0, text.indexOf('── 5 causes'));
  for (const part of [
    '✕ auth-info-ttl  interface MUST  §2.3',
    '  requires  authInfo.ttl is a JSON integer that states how long the session',
    '  expected  a JSON integer',
    '  actual    the string "86400", in 6 of 6 calls',
    '  seen      #',
    'auth server → EHR server: embedded_storage.save_auth_info →',
    '‹session-token 2›',
    '  to blame  auth server',
    '  to do     Send ttl as a JSON number, in minutes: 1440, not "86400".',
  ]) {
    expect(card).toContain(part);
  }
});

test('more evidence than can be read is cut, and says so', () => {
  const [first] = fake.verdicts.filter(({ outcome }) => outcome === 'fail');
  const evidence = fake.run.entries.map(({ seq }) => seq);
  if (first?.finding.outcome !== 'fail') throw new Error('no failure');
  const verdicts = [{ ...first, finding: { ...first.finding, evidence } }] as typeof fake.verdicts;
  const text = textOf(fakeReport({ ...fake, verdicts }));
  expect(text).toMatch(/… and \d+ more in the HTML report/);
  expect(text.split('\n').length).toBeLessThan(60);
});

test('a header or an address that carries something masked is shown with its message', () => {
  const path = '/otp?phone=‹phone 2›';
  const masked = withMessages(fake, (message) => ({ ...message, request: { ...message.request, path } }));
  const text = textOf(fakeReport(masked));
  expect(text).toContain('  > /otp?phone=‹phone 2›');
  expect(text).toContain('  > authorization: ‹removed, 44 characters›');
  expect(text).not.toContain('user-agent');
});

test('the trace of the messages that show a cause is told once', () => {
  const trace = 'abc'.padEnd(32, '1');
  const text = textOf(fakeReport(withMessages(fake, (message) => ({ ...message, trace }))));
  const [first = ''] = text.split('✕ session-dead-after-logout');
  expect(first.split(trace)).toHaveLength(2);
  expect(first).toContain(`  trace ${trace}\n`);
  expect(textOf(fakeReport(fake))).not.toContain('  trace ');
});

test('the last lines begin with the conclusion on the interface', () => {
  const last = (report: Report) =>
    /\nInterface {3}(?<word>[^(]+?)(?: \(|$)/.exec(textOf(report))?.groups?.word?.replace(/\s+/g, ' ');
  const passing = (run: FakeRun) =>
    fakeReport({ ...run, verdicts: run.verdicts.filter(({ outcome }) => outcome === 'pass') });
  expect(last(passing(fake))).toBe('conformant');
  const broken = fakeRun({ crowd: 2, finished: false });
  expect(last(fakeReport(broken))).toBe('not conformant: 2 broken, 1 could not be judged, broken off');
  expect(last(passing(broken))).toBe('conformant, broken off');
  const notSetUp = [{ problem: 'The server does not answer.', remedy: 'Start it.' }];
  const report = fakeReport({ ...fake, verdicts: [] }, { notSetUp });
  expect(textOf(report)).toContain('✕ The server does not answer.\n  to do: Start it.');
  expect(textOf(report)).toMatch(/\nnot set up$/);
});

test('known failures stand in a list of their own, with their reason', () => {
  const text = textOf(fakeReport(fake, { baseline: [known('auth-info-ttl')] }));
  expect(text).not.toContain('auth-info-ttl: ');
  expect(text).toContain('── Known failures (1) ─');
  expect(text).toContain('  ✕ auth-info-ttl  ticket 12');
  expect(textOf(fakeReport(fake, { baseline: [known('digest-shape')] }))).toMatch(
    /✕ digest-shape: known.yaml:2:5: listed as a known failure, but it passes now\./,
  );
});

test('colours and a changing line appear on a terminal alone', () => {
  const partsOn = (screen: { isTTY: boolean }) => {
    const parts: string[] = [];
    const write = (text: string) => parts.push(text);
    const reporter = consoleReporter({ screen: { ...screen, write, columns: 80 }, env: {} });
    for (const entry of fake.run.entries.slice(0, 3)) reporter.progress(entry);
    reporter.finish({ report: fakeReport(fake), paths: [] });
    return parts;
  };
  const terminal = partsOn({ isTTY: true });
  expect(terminal.at(-2)).toBe('\r\u001b[2K');
  expect(terminal.at(-1)).toContain('\u001b[31mInterface   not conformant');
  expect(partsOn({ isTTY: false }).join('')).not.toContain('\u001b');
});

import { expect, test } from 'vitest';
import { usualDemands } from '../check/verdict.ts';
import { parts } from '../check/weight.ts';
import { harmless } from '../harmless.ts';
import { junitOf } from './junit.ts';
import { fakeReport, fakeRun, known } from './testing/fake-run.ts';
import { HOSTILE, hostile } from './testing/hostile.ts';
import { elementsOf, readXml, type XmlElement } from './testing/read-xml.ts';

const fake = fakeRun({ crowd: 2 });
const casesOf = (...args: Parameters<typeof fakeReport>) =>
  elementsOf(readXml(junitOf(fakeReport(...args))), 'testcase');
const find = (cases: XmlElement[], check: string) => {
  const found = cases.find(({ attributes }) => attributes.name?.startsWith(check));
  if (!found) throw new Error(`no case ${check}`);
  return found;
};

test('each check is a test case of its part, and the totals are right', () => {
  const root = readXml(junitOf(fakeReport(fake)));
  const cases = elementsOf(root, 'testcase');
  expect(cases).toHaveLength(18);
  expect(find(cases, 'auth-info-ttl').attributes).toMatchObject({
    classname: '§2.3',
    name: 'auth-info-ttl: authInfo.ttl is a whole number of minutes',
  });
  expect(root.attributes).toMatchObject({ tests: '18', failures: '2', errors: '1', skipped: '2' });
  const suites = elementsOf(root, 'testsuite').map(({ attributes }) => [attributes.name, attributes.tests]);
  const sizes = parts.map((part) => fake.verdicts.filter((verdict) => verdict.part === part).length);
  expect(suites).toEqual(parts.map((part, index) => [part, String(sizes[index])]));
});

test('a failure carries expectation, what was seen, blame and advice', () => {
  const [failure] = find(casesOf(fake), 'auth-info-ttl').children;
  expect(failure?.name).toBe('failure');
  expect(failure?.attributes.message).toBe(
    'expected a JSON integer; actual the string "86400", in 6 of 6 calls',
  );
  for (const part of [
    'interface MUST §2.3',
    'requires: authInfo.ttl is a JSON integer',
    'to blame: auth server',
    'to do: Send ttl as a JSON number',
    'embedded_storage.save_auth_info → result',
  ]) {
    expect(failure?.text).toContain(part);
  }
});

test('an undecided check is an error, and one that does not apply is skipped', () => {
  const cases = casesOf(fake);
  expect(find(cases, 'wrong-code-refused').children).toMatchObject([
    {
      name: 'error',
      attributes: { message: expect.stringContaining('could not be judged: the right code') },
    },
  ]);
  expect(find(cases, 'no-correspondence').children).toMatchObject([
    { name: 'skipped', attributes: { message: 'the adapter names no phone without a correspondence entry' } },
  ]);
  expect(find(cases, 'digest-shape').children).toEqual([]);
});

test('a warning passes with its text, and fails where warnings count', () => {
  expect(find(casesOf(fake), 'answer-in-time').children).toMatchObject([
    { name: 'system-out', text: expect.stringMatching(/^warning\nsafety recommended/) },
  ]);
  expect(
    find(casesOf(fake, { demands: { ...usualDemands, strict: true } }), 'answer-in-time').children,
  ).toMatchObject([{ name: 'failure' }]);
});

test('a known failure is skipped with its reason, and a stale entry fails', () => {
  const cases = casesOf(fake, { baseline: [known('auth-info-ttl'), known('digest-shape')] });
  expect(find(cases, 'auth-info-ttl').children).toMatchObject([
    { name: 'skipped', attributes: { message: 'known failure: ticket 12' } },
  ]);
  expect(cases.find(({ attributes }) => attributes.classname === 'known failures')?.children).toMatchObject([
    { name: 'failure' },
  ]);
});

test('a run without set-up, without end or without verdicts is never green', () => {
  const broken = fakeRun({ crowd: 1, finished: false });
  const passed = broken.verdicts.filter(({ outcome }) => outcome === 'pass');
  for (const cases of [
    casesOf({ ...fake, verdicts: [] }, { notSetUp: [{ problem: 'No server.', remedy: 'Start it.' }] }),
    casesOf({ ...fake, verdicts: [] }),
    casesOf({ ...broken, verdicts: passed }),
  ])
    expect(cases.flatMap(({ children }) => children.filter(({ name }) => name === 'error'))).toHaveLength(1);
});

test('whatever stands in the run, the document stays well-formed and says it', () => {
  const report = hostile(fakeReport(fake));
  const cases = elementsOf(readXml(junitOf(report)), 'testcase');
  expect(cases).toHaveLength(18);
  const shown = harmless(HOSTILE);
  expect(find(cases, `${shown}auth-info-ttl`).children[0]?.attributes.message).toContain(
    `expected ${shown}a JSON integer`,
  );
});

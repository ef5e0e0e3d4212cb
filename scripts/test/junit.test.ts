import { expect, test } from 'vitest';
import { elementsOf, readXml } from '#conformance/engine/report/testing/read-xml.ts';
import { junitReport } from './junit.ts';

test('a JUnit report is well-formed and has the right totals, whatever its texts are', () => {
  const failure = 'expected <a> & "b"\u001b[31m\u0000\ud800 ]]> to be c';
  const xml = junitReport('checks & more', [
    { name: 'types', seconds: 1.5 },
    { name: 'a < b', seconds: 0.25, failure },
    { name: 'c', seconds: 0, failure: '' },
    { name: 'd', seconds: 0, skipped: 'no clock' },
  ]);
  const outcomes = elementsOf(readXml(xml), 'testcase').map(({ children }) => children.map(({ name }) => name).join());
  expect(outcomes).toEqual(['', 'failure', 'failure', 'skipped']);
  expect(xml).toContain('tests="4" failures="2" errors="0" skipped="1" time="1.750"');
  expect(xml).toContain('expected &lt;a&gt; &amp; &quot;b&quot;[31m\ufffd ]]&gt; to be c');
});

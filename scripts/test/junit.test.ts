import { expect, test } from 'vitest';
import { countJunit, junitReport } from './junit.ts';

/** A report as vitest writes it. */
const VITEST = `<?xml version="1.0" encoding="UTF-8" ?>
<testsuites name="vitest" tests="4" failures="1" errors="0" time="1.2">
    <testsuite name="a.test.ts" timestamp="2026-01-15T09:00:00.000Z" hostname="host" tests="4" failures="1" errors="0" skipped="1" time="0.01">
        <testcase classname="a.test.ts" name="a &gt; b" time="0.005">
        </testcase>
        <testcase classname="a.test.ts" name='says "a > b"' time="0.001"/>
        <testcase classname="a.test.ts" name="fails" time="0.001">
            <failure message="expected 1 to be 2" type="AssertionError">
AssertionError: expected &lt;testcase&gt;
            </failure>
        </testcase>
        <testcase classname="a.test.ts" name="waits" time="0"><skipped/></testcase>
    </testsuite>
</testsuites>
`;

test('passed, failed and skipped tests are counted as they stand in the report', () => {
  expect(countJunit(VITEST)).toEqual({ passed: 2, failed: 1, skipped: 1 });
});

test('a test in error has failed, and what looks like a test in text, CDATA or a comment counts for nothing', () => {
  const xml = `<testsuites><testsuite><testcase name="a"><error/></testcase>
    <testcase name="b"><system-out><![CDATA[<testcase name="c"><failure/></testcase>]]></system-out></testcase>
    <!-- <testcase name="d"/> --></testsuite></testsuites>`;
  expect(countJunit(xml)).toEqual({ passed: 1, failed: 1, skipped: 0 });
});

test('an error that stands in the totals only is a failure', () => {
  expect(countJunit('<testsuites errors="2"><testsuite><testcase name="a"/></testsuite></testsuites>')).toEqual({
    passed: 1,
    failed: 2,
    skipped: 0,
  });
  expect(countJunit('<testsuites><testsuite failures="1"/><testsuite errors="1"/></testsuites>').failed).toBe(2);
});

const broken = {
  'empty text': '',
  'white space': ' \n',
  'text that is no XML': 'Error: no report',
  'a report that breaks off': VITEST.slice(0, 700),
  'a report that breaks off between elements': '<testsuites><testsuite><testcase name="a"/>',
  'an element closed out of place': '<testsuites><testsuite></testsuites></testsuite>',
  'two roots': '<testsuites/><testsuites/>',
  'text after the root': '<testsuites/> and more',
  'another root': '<html></html>',
  'an attribute without quotes': '<testsuites errors=0/>',
  'a total that is no number': '<testsuites failures="none"/>',
};

for (const [name, xml] of Object.entries(broken)) {
  test(`${name} is refused as a report`, () => {
    expect(() => countJunit(xml)).toThrow(/^The report|^The root of the report/);
  });
}

test('a report that is written here is read back with the same counts, whatever its texts are', () => {
  const failure = 'expected <a> & "b"\u001b[31m\u0000\ud800 ]]> to be c';
  const xml = junitReport('checks & more', [
    { name: 'types', seconds: 1.5 },
    { name: 'a < b', seconds: 0.25, failure },
    { name: 'c', seconds: 0, failure: '' },
  ]);
  expect(countJunit(xml)).toEqual({ passed: 1, failed: 2, skipped: 0 });
  expect(xml).toContain('tests="3" failures="2" errors="0" skipped="0" time="1.750"');
  expect(xml).toContain('expected &lt;a&gt; &amp; &quot;b&quot;[31m\ufffd ]]&gt; to be c');
  expect(countJunit(junitReport('none', []))).toEqual({ passed: 0, failed: 0, skipped: 0 });
});

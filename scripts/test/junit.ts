/** Writes JUnit reports. */

/** One test for a report, with the text of its failure if it failed, or why it was skipped. */
export type TestCase = {
  readonly name: string;
  /** The class of the test. The name of the suite unless given. */
  readonly group?: string;
  readonly seconds: number;
  readonly failure?: string | undefined;
  /** The failure in one sentence. */
  readonly sentence?: string | undefined;
  readonly skipped?: string | undefined;
};

/** Creates the JUnit report of one suite. */
export function junitReport(suite: string, cases: readonly TestCase[]): string {
  const failures = cases.filter((item) => item.failure !== undefined).length;
  const time = cases.reduce((sum, item) => sum + item.seconds, 0).toFixed(3);
  const skips = cases.filter((item) => item.skipped !== undefined).length;
  const head = `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skips}" time="${time}"`;
  const lines = cases.map(({ name, group = suite, seconds, failure, sentence = `${name} failed`, skipped }) => {
    const open = `    <testcase classname="${escapeXml(group)}" name="${escapeXml(name)}" time="${seconds.toFixed(3)}"`;
    if (skipped !== undefined) return `${open}><skipped message="${escapeXml(skipped)}"/></testcase>`;
    if (failure === undefined) return `${open}/>`;
    return `${open}>\n      <failure message="${escapeXml(sentence)}">${escapeXml(failure)}</failure>\n    </testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${head}>`,
    `  <testsuite name="${escapeXml(suite)}" ${head}>`,
    ...lines,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text and removes the control characters that XML 1.0 forbids. */
function escapeXml(text: string): string {
  const carried = [...text].filter((char) => char >= ' ' || ['\t', '\n', '\r'].includes(char)).join('');
  return carried.toWellFormed().replace(/[&<>"]/g, (char) => ENTITIES[char] as string);
}

/**
 * Reads and writes JUnit reports. It reads strictly, because a report that cannot be trusted must not look
 * green.
 */

/** The counts of one report, or of several added up. */
export type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** One test for a report, with the text of its failure if it failed, or why it was skipped. */
export type Case = {
  readonly name: string;
  /** The class of the test. The name of the suite unless given. */
  readonly group?: string;
  readonly seconds: number;
  readonly failure?: string | undefined;
  /** The failure in one sentence. */
  readonly sentence?: string | undefined;
  readonly skipped?: string | undefined;
};

/**
 * Counts the tests of a JUnit report.
 * @throws Error when it is not well-formed, is no JUnit report, or contradicts its own totals
 */
export function countJunit(xml: string): Counts {
  const root = parseXml(xml);
  if (root.name !== 'testsuites' && root.name !== 'testsuite')
    throw new Error(`The root of the report is <${root.name}>.`);
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  for (const test of descendants(root, 'testcase')) {
    const outcomes = test.children.map((child) => child.name);
    if (outcomes.includes('failure') || outcomes.includes('error')) failed++;
    else if (outcomes.includes('skipped')) skipped++;
    else passed++;
  }
  const claimed = claimedFailures(root);
  // An error outside every test, such as a failed hook, appears in the totals only.
  return { passed, failed: Math.max(failed, claimed), skipped };
}

/** Creates the JUnit report of one suite. */
export function junitReport(suite: string, cases: readonly Case[]): string {
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

type Element = { name: string; attributes: Record<string, string>; children: Element[] };

function claimedFailures(root: Element): number {
  const of = ({ attributes }: Element) => count(attributes.failures) + count(attributes.errors);
  const suites = descendants(root, 'testsuite').reduce((sum, suite) => sum + of(suite), 0);
  return Math.max(of(root), suites);
}

function count(text: string | undefined): number {
  if (text === undefined) return 0;
  if (!/^\d+$/.test(text)) throw new Error(`The report has a total that is no number: "${text}".`);
  return Number(text);
}

function descendants(element: Element, name: string): Element[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...descendants(child, name)]);
}

const NAME = String.raw`[A-Za-z_:][\w:.-]*`;
const ATTRIBUTE = String.raw`\s+${NAME}\s*=\s*(?:"[^"<]*"|'[^'<]*')`;
/** The next piece of an XML document: one to be skipped, a tag, or text. */
const PIECE = new RegExp(
  [
    String.raw`<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>`,
    String.raw`<(?<close>/)?(?<name>${NAME})(?<attributes>(?:${ATTRIBUTE})*)\s*(?<empty>/)?>`,
    '(?<text>[^<]+)',
  ].join('|'),
  'y',
);

/** Returns the elements of a document, without their text. */
function parseXml(xml: string): Element {
  const document: Element = { name: '', attributes: {}, children: [] };
  const open: Element[] = [document];
  for (let at = 0; at < xml.length; at = PIECE.lastIndex) {
    PIECE.lastIndex = at;
    const groups = PIECE.exec(xml)?.groups;
    if (!groups) throw new Error(`The report is not well-formed XML at character ${at}.`);
    readPiece(groups, open, at);
  }
  const [root, ...others] = document.children;
  if (!root || others.length > 0 || open.length !== 1) throw new Error('The report is empty or breaks off.');
  return root;
}

function readPiece(groups: Record<string, string | undefined>, open: Element[], at: number): void {
  const { close, name, attributes = '', empty, text } = groups;
  if (text !== undefined && open.length === 1 && text.trim() !== '')
    throw new Error(`The report has text outside its root at character ${at}.`);
  if (name === undefined) return;
  if (close !== undefined) {
    if (open.length === 1 || open.pop()?.name !== name)
      throw new Error(`The report closes <${name}> out of place at character ${at}.`);
    return;
  }
  const element: Element = { name, attributes: readAttributes(attributes), children: [] };
  open.at(-1)?.children.push(element);
  if (empty === undefined) open.push(element);
}

function readAttributes(text: string): Record<string, string> {
  const pairs = [...text.matchAll(new RegExp(String.raw`(${NAME})\s*=\s*(?:"([^"]*)"|'([^']*)')`, 'g'))];
  return Object.fromEntries(pairs.map(([, name, double, single]) => [name, double ?? single ?? '']));
}

/** Escapes text and removes the control characters that XML 1.0 forbids. */
function escapeXml(text: string): string {
  const carried = [...text].filter((char) => char >= ' ' || ['\t', '\n', '\r'].includes(char)).join('');
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return carried.toWellFormed().replace(/[&<>"]/g, (char) => entities[char] as string);
}

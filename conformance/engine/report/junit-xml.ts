/**
 * Writes test cases as JUnit XML, the format in which build servers read results. All cases are in one suite.
 */
import { harmless } from './words.ts';

/** One test case. `text` is shown below the message; of a case that passed it becomes `<system-out>`. */
export type JunitCase = {
  classname: string;
  name: string;
  kind: 'passed' | 'failure' | 'error' | 'skipped';
  /** The outcome in one sentence. */
  message?: string | undefined;
  text?: string | undefined;
  seconds?: number;
};

/**
 * Returns the XML of one suite. `seconds` is how long the whole run took.
 * @param startedAt the start in ISO 8601; the XML has no time of the start without it
 */
export function junitXml(
  { name, seconds, startedAt }: { name: string; seconds: number; startedAt?: string },
  cases: readonly JunitCase[],
): string {
  const counted = (kind: JunitCase['kind']) => cases.filter((item) => item.kind === kind).length;
  const totals = `tests="${cases.length}" failures="${counted('failure')}" errors="${counted('error')}" skipped="${counted('skipped')}"`;
  const timestamp =
    startedAt === undefined ? '' : ` timestamp="${attribute(startedAt.replace(/(\.\d+)?Z$/, ''))}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals}>`,
    `  <testsuite name="${attribute(name)}" ${totals}${timestamp} time="${seconds.toFixed(3)}">`,
    ...cases.map(xmlOf),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** The element of one test case. */
function xmlOf({ classname, name, kind, message, text, seconds = 0 }: JunitCase): string {
  const time = seconds.toFixed(3);
  const open = `    <testcase classname="${attribute(classname)}" name="${attribute(name)}" time="${time}"`;
  if (kind === 'passed')
    return text === undefined
      ? `${open}/>`
      : `${open}>\n      <system-out>${content(text)}</system-out>\n    </testcase>`;
  const body = text === undefined ? '/>' : `>${content(text)}</${kind}>`;
  return `${open}>\n      <${kind} message="${attribute(message ?? '')}"${body}\n    </testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as XML. Characters that XML cannot contain become visible escapes. */
function content(text: string): string {
  return harmless(text).replace(/[&<>"]/g, (char) => ENTITIES[char] as string);
}

/** A text as the value of an attribute. A parser would read an unescaped line break there as a blank. */
function attribute(text: string): string {
  return content(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

/** Writes test cases as JUnit XML, the format in which build servers read results. */
import { harmless } from '../harmless.ts';

export type JunitCase = {
  classname: string;
  name: string;
  kind: 'passed' | 'failure' | 'error' | 'skipped';
  message?: string | undefined;
  text?: string | undefined;
  seconds?: number;
};

export type JunitSuite = { name: string; cases: readonly JunitCase[] };

/** Returns the XML of a run. `seconds` is how long it took, `startedAt` its start in ISO 8601. */
export function junitXml(
  { name, seconds, startedAt }: { name: string; seconds: number; startedAt?: string },
  suites: readonly JunitSuite[],
): string {
  const timestamp =
    startedAt === undefined ? '' : ` timestamp="${attribute(startedAt.replace(/(\.\d+)?Z$/, ''))}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${attribute(name)}" ${totalsOf(suites.flatMap(({ cases }) => cases))} time="${seconds.toFixed(3)}">`,
    ...suites.flatMap((suite) => [
      `  <testsuite name="${attribute(suite.name)}" ${totalsOf(suite.cases)}${timestamp}>`,
      ...suite.cases.map(xmlOf),
      '  </testsuite>',
    ]),
    '</testsuites>',
    '',
  ].join('\n');
}

function totalsOf(cases: readonly JunitCase[]): string {
  const counted = (kind: JunitCase['kind']) => cases.filter((item) => item.kind === kind).length;
  return `tests="${cases.length}" failures="${counted('failure')}" errors="${counted('error')}" skipped="${counted('skipped')}"`;
}

function xmlOf({ classname, name, kind, message, text, seconds = 0 }: JunitCase): string {
  const time = seconds.toFixed(3);
  const open = `    <testcase classname="${attribute(classname)}" name="${attribute(name)}" time="${time}"`;
  if (kind === 'passed')
    return text === undefined
      ? `${open}/>`
      : `${open}>\n      <system-out>${escaped(text)}</system-out>\n    </testcase>`;
  const body = text === undefined ? '/>' : `>${escaped(text)}</${kind}>`;
  return `${open}>\n      <${kind} message="${attribute(message ?? '')}"${body}\n    </testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text of the run as text of XML or HTML. */
export function escaped(text: string): string {
  return harmless(text).replace(/[&<>"]/g, (char) => ENTITIES[char] as string);
}

/** A text as the value of an attribute. A parser would read an unescaped line break there as a blank. */
function attribute(text: string): string {
  return escaped(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

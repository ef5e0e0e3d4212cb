/** JUnit XML, for pipelines: one suite of test cases. */
import { harmless } from './words.ts';

export type JunitCase = {
  classname: string;
  name: string;
  kind: 'passed' | 'failure' | 'error' | 'skipped';
  /** The outcome in one sentence. */
  message?: string | undefined;
  text?: string | undefined;
  seconds?: number;
};

/** @param startedAt the time of the start in ISO 8601, if it is told */
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

function content(text: string): string {
  return harmless(text).replace(/[&<>"]/g, (char) => ENTITIES[char] as string);
}

/** In an attribute, an unescaped line break would be read as a blank. */
function attribute(text: string): string {
  return content(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

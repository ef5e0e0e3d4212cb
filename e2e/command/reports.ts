/** The reports of `npm run e2e`: a page, and JUnit reports beside it. */
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type JunitCase, junitXml } from '#conformance/engine/report/junit-xml.ts';
import { makeDirectory, writeWhole } from '#service/process/files/writing.ts';
import { textOf } from '../report/causes.ts';
import type { Flow } from '../report/flows-page.ts';

/** Returns the lines that name the reports, or say why they could not be written. */
export function writeReports(
  page: string,
  html: string,
  suites: Readonly<Record<string, JunitCase[]>>,
): string[] {
  const file = resolve(page);
  try {
    makeDirectory(dirname(file));
    writeFileSync(file, html);
    for (const [name, cases] of Object.entries(suites)) {
      const seconds = cases.reduce((sum, { seconds: own = 0 }) => sum + own, 0);
      writeWhole(join(dirname(file), `${name}.xml`), junitXml({ name, seconds }, [{ name, cases }]));
    }
  } catch (error) {
    return [`Failed to write the reports: ${(error as Error).message}.`];
  }
  const names = Object.keys(suites).map((name) => `${name}.xml`);
  return [
    `All flows with their messages: ${pathToFileURL(file).href}`,
    `Reports: ${dirname(page)} (${names.join(', ')})`,
  ];
}

export function caseOf({ file, title, seconds, failure }: Flow, leftOut?: string): JunitCase {
  const about = { classname: file, name: title, seconds };
  if (leftOut !== undefined) return { ...about, kind: 'skipped', message: leftOut };
  if (!failure) return { ...about, kind: 'passed' };
  return { ...about, kind: 'failure', message: failure.sentence, text: textOf(failure) };
}

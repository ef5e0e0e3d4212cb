/** The reports of `npm run e2e`: a page, and JUnit reports beside it. */
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '#scripts/set-up/set-up.mjs';
import { junitReport, type TestCase } from '#scripts/test/junit.ts';
import { makeDirectory, writeWhole } from '#service/process/writing.ts';

/**
 * Writes the reports. Returns the lines that name them, or that say why they could not be written: the flows
 * were listed, and count without their reports.
 * @param page path of the page, relative to the root of the project
 * @param suites the test cases by the name of their JUnit report
 */
export function writeReports(page: string, html: string, suites: Readonly<Record<string, TestCase[]>>): string[] {
  const file = resolve(root, page);
  try {
    makeDirectory(dirname(file));
    writeFileSync(file, html);
    for (const [name, cases] of Object.entries(suites))
      writeWhole(join(dirname(file), `${name}.xml`), junitReport(name, cases));
  } catch (error) {
    return [`Failed to write the reports: ${(error as Error).message}.`];
  }
  const names = Object.keys(suites).map((name) => `${name}.xml`);
  return [
    `All flows with their messages: ${pathToFileURL(file).href}`,
    `Reports: ${dirname(page)} (${names.join(', ')})`,
  ];
}

/** How the two test runners are called, and where their reports go. */
import type { Suite } from './suites.ts';

export type VitestOptions = {
  title: string;
  /** Runs the tests below this directory only. */
  directory?: string;
  /** Parts of file names. */
  files?: readonly string[];
  /** A part of the title. */
  grep?: string | undefined;
};

/** Vitest, with its report in `test-results/vitest.xml`. */
export function vitestSuite({ title, directory, files = [], grep }: VitestOptions): Suite {
  const report = 'test-results/vitest.xml';
  const chosen = files.length > 0 || grep !== undefined;
  const choice = [
    ...(directory === undefined ? [] : ['--dir', directory]),
    ...(grep === undefined ? [] : ['--testNamePattern', grep]),
    ...(chosen ? ['--passWithNoTests'] : []),
    ...files,
  ];
  return {
    report,
    chosen,
    command: { title, node: ['node_modules/vitest/vitest.mjs', 'run', ...choice], env: { VITEST_JUNIT: report } },
  };
}

export type BrowserOptions = {
  /** Path of the browser. */
  browser: string;
  headed?: boolean;
  files?: readonly string[];
  grep?: string | undefined;
};

/** Playwright, with its report in `test-results/playwright.xml`. */
export function browserSuite({ browser, headed = false, files = [], grep }: BrowserOptions): Suite {
  const report = 'test-results/playwright.xml';
  const chosen = files.length > 0 || grep !== undefined;
  const choice = [
    ...(headed ? ['--headed'] : []),
    ...(grep === undefined ? [] : ['--grep', grep]),
    ...(chosen ? ['--pass-with-no-tests'] : []),
    ...files,
  ];
  return {
    report,
    chosen,
    command: {
      title: 'browser tests',
      node: ['node_modules/@playwright/test/cli.js', 'test', ...choice],
      env: { PLAYWRIGHT_JUNIT: report, E2E_BROWSER: browser },
    },
  };
}

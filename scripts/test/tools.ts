/** The commands of the two test runners, and the paths of their reports. */
import type { Suite } from './suites.ts';

/** Lists the tests one by one, and records the messages on the wire. */
export type Listing = {
  /** Directory of the records, relative to the root of the project. */
  recording: string;
  onLine: (line: string) => void;
};

export type VitestOptions = {
  title: string;
  /** Absolute paths of the files to run. All files unless given. */
  files?: readonly string[];
  /** A part of the title. */
  grep?: string | undefined;
  listing?: Listing | undefined;
  /** Time zone of the run, such as `America/Los_Angeles`. The machine's own unless given. */
  zone?: string;
  /** Path of the JUnit report, relative to the root of the project. */
  report?: string;
};

/** Vitest, with its report in `test-results/vitest.xml` unless another file is named. */
export function vitestSuite({
  title,
  files = [],
  grep,
  listing,
  zone,
  report = 'test-results/vitest.xml',
}: VitestOptions): Suite {
  const chosen = grep !== undefined;
  const choice = [...(chosen ? ['--testNamePattern', literally(grep), '--passWithNoTests'] : []), ...files];
  return {
    report,
    chosen,
    command: {
      title,
      node: ['node_modules/vitest/vitest.mjs', 'run', ...choice],
      env: { VITEST_JUNIT: report, ...recordingOf(listing), ...(zone !== undefined && { TZ: zone }) },
      onLine: listing?.onLine,
    },
  };
}

export type BrowserOptions = {
  /** Path of the browser. */
  browser: string;
  headed?: boolean;
  /** Absolute paths of the files to run. All files unless given. */
  files?: readonly string[];
  grep?: string | undefined;
  listing?: Listing | undefined;
  /** Path of the JUnit report, relative to the root of the project. */
  report?: string;
};

/** Playwright, with its report in `test-results/playwright.xml` unless another file is named. */
export function browserSuite({
  browser,
  headed = false,
  files = [],
  grep,
  listing,
  report = 'test-results/playwright.xml',
}: BrowserOptions): Suite {
  const chosen = grep !== undefined;
  const choice = [
    ...(headed ? ['--headed'] : []),
    ...(chosen ? ['--grep', literally(grep), '--pass-with-no-tests'] : []),
    ...files.map(literally),
  ];
  return {
    report,
    chosen,
    command: {
      title: 'browser tests',
      node: ['node_modules/@playwright/test/cli.js', 'test', ...choice],
      env: { PLAYWRIGHT_JUNIT: report, E2E_BROWSER: browser, ...recordingOf(listing) },
      onLine: listing?.onLine,
    },
  };
}

function recordingOf(listing: Listing | undefined): Record<string, string> {
  return listing ? { E2E_RECORDING: listing.recording } : {};
}

/** Escapes a title, or a path, for a runner that expects a pattern. */
function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

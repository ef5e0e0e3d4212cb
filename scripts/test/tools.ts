/** The commands of the two test runners. Each writes a JUnit report, and a JSON report beside it. */
import type { Command } from './run-command.ts';

export type Choice = {
  files?: readonly string[];
  grep?: string | undefined;
  /** Lists the tests one by one, and records the messages on the wire in a directory. */
  listing?: { recording: string; onLine: (line: string) => void };
  /** Path of both reports, relative to the root of the project, without their endings. */
  report: string;
};

export function vitest(title: string, choice: Choice, zone?: string): Command {
  const { files = [], grep, report } = choice;
  const pattern = grep === undefined ? [] : ['--testNamePattern', literally(grep), '--passWithNoTests'];
  return {
    title,
    node: ['node_modules/vitest/vitest.mjs', 'run', ...pattern, ...files],
    env: { VITEST_REPORT: report, ...recordingOf(choice), ...(zone !== undefined && { TZ: zone }) },
    onLine: choice.listing?.onLine,
  };
}

export function playwright(browser: string, choice: Choice, isHeaded = false): Command {
  const { files = [], grep, report } = choice;
  const pattern = grep === undefined ? [] : ['--grep', literally(grep), '--pass-with-no-tests'];
  const flags = [...(isHeaded ? ['--headed'] : []), ...pattern];
  return {
    title: 'browser tests',
    node: ['node_modules/@playwright/test/cli.js', 'test', ...flags, ...files.map(literally)],
    env: { PLAYWRIGHT_REPORT: report, E2E_BROWSER: browser, ...recordingOf(choice) },
    onLine: choice.listing?.onLine,
  };
}

function recordingOf({ listing }: Choice): Record<string, string> {
  return listing ? { E2E_RECORDING: listing.recording } : {};
}

/** Escapes a title, or a path, for a runner that expects a pattern. */
function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

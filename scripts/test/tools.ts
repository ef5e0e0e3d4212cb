/**
 * The commands of `npm test`: the checks that are not tests, each one test case of `test-results/checks.xml`, and
 * the two test runners, each of which writes a JUnit report, and a JSON report beside it.
 */
import type { Command } from './run-command.ts';

const own = (...args: string[]) => ['scripts/run.mjs', ...args];

/** What the check of types keeps, so that the next one looks again only at what a change may concern. */
export const TYPES_SEEN = 'dist/types.tsbuildinfo';

export const TYPE_CHECK = [
  // Paths below a linked node_modules are those of the tree: a copy of it can go on from what is kept.
  ...['node_modules/typescript/bin/tsc', '-p', '.', '--preserveSymlinks'],
  ...['--incremental', '--tsBuildInfoFile', TYPES_SEEN],
];

/** The longest begins first: two run at the same time. */
export const checks: readonly Command[] = [
  { title: 'documents', node: own('site/docs/main.ts', '--check') },
  { title: 'types', node: TYPE_CHECK },
  { title: 'lint', node: ['node_modules/@biomejs/biome/bin/biome', 'check', '--max-diagnostics=200', '.'] },
  { title: 'dead code', node: ['node_modules/knip/bin/knip.js', '--no-progress'] },
  { title: 'project rules', node: own('scripts/rules/main.ts') },
];

/** The whole self-test of the kit, for each role. Only `npm run test:all` runs it. */
export const selfTests: readonly Command[] = ['auth-server', 'ehr-server', 'client'].map((role) => ({
  title: `self-test of ${role}`,
  node: own('conformance/main.ts', 'self-test', '--role', role),
}));

type Choice = {
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

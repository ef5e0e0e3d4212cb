/** The checks that are not tests. Each is one row, and one test case of `test-results/checks.xml`. */
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

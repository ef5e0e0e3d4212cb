/** The checks that are not tests. Each is one row, and one test case of `test-results/checks.xml`. */
import type { Command } from './run-command.ts';

const own = (...args: string[]) => ['scripts/run.mjs', ...args];

/** The longest begins first: two run at the same time. */
export const checks: readonly Command[] = [
  { title: 'documents', node: own('scripts/docs.ts', '--check') },
  { title: 'types', node: ['node_modules/typescript/bin/tsc', '-p', '.'] },
  { title: 'lint', node: ['node_modules/@biomejs/biome/bin/biome', 'check', '--max-diagnostics=200', '.'] },
  { title: 'dead code', node: ['node_modules/knip/bin/knip.js', '--no-progress'] },
  { title: 'project rules', node: own('scripts/check-rules.ts') },
];

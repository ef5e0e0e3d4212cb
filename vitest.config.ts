/** Vitest: every `*.test.ts` beside its code; the browser specs belong to Playwright. */
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Where the JUnit report goes; only a full run asks for one, so that a partial run by hand never passes for it. */
const junit = process.env.VITEST_JUNIT;

export default defineConfig({
  test: {
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['node_modules/**', '**/dist/**', '.data/**', 'test-results/**'],
    // Starts nothing by itself: the first test that needs a PostgreSQL asks for it.
    globalSetup: ['e2e/postgres/global-setup.ts'],
    setupFiles: ['e2e/vitest-setup.ts'],
    // A process for each file: a native module that crashes takes no other test with it.
    pool: 'forks',
    // Tests wait for processes more than they compute, so two share even a small machine.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 20_000,
    hookTimeout: 30_000,
    retry: 0,
    allowOnly: false,
    passWithNoTests: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // An order that changes from run to run shows tests that lean on each other; the seed is printed, and repeats it:
    // npx vitest run --sequence.seed=1234
    sequence: { shuffle: true },
    reporters: junit === undefined ? ['default'] : ['default', ['junit', { outputFile: junit, suiteName: 'vitest' }]],
  },
});

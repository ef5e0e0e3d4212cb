/** Vitest: every `*.test.ts` beside its code; the browser specs belong to Playwright. */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { FILES_APART } from './scripts/test/files-apart.ts';

/** Path of the reports. Only a full run sets it, so a partial run by hand never passes for it. */
const report = process.env.VITEST_REPORT;

const reporters: (string | [string, Record<string, unknown>])[] = ['default'];
if (report !== undefined) {
  reporters.push(['junit', { outputFile: `${report}.xml`, suiteName: 'vitest' }]);
  reporters.push(['json', { outputFile: `${report}.json` }]);
}
if (process.env.E2E_RECORDING !== undefined) reporters.push('./e2e/report/vitest-flows.ts');

/** Tests that only `npm run test:all` runs: programs that are built and packed, and the like. */
const LONG_TESTS = '**/*.long.test.ts';

/** The end-to-end tests. A hang is found by silence, so no time-out counts how long one takes. */
const FLOWS = ['e2e/{flows,threats}/**/*.test.ts'];

/** How long a hook may take, which starts or stops servers: a minute on a machine eight times slower. */
const HOOK_OF_FLOW_TIMEOUT_MS = 480_000;

/** Files that take longer than 15 s. They start first, so that no worker is left with one at the end. */
const LONG_FILES = [
  'conformance/roles/client/self-test/self-test.test.ts',
  'conformance/roles/auth-server/self-test/self-test.test.ts',
  'conformance/tls.test.ts',
  'conformance/dies.test.ts',
  'conformance/broken-off.test.ts',
  'conformance/examples.long.test.ts',
  'console/server/live-judge.long.test.ts',
  'site/docs/how-to.long.test.ts',
  'scripts/build/package.long.test.ts',
  'scripts/build/action.long.test.ts',
];

/**
 * Tests of dates. They run in a time zone west of UTC, as all tests do, and once more in one east of it: a
 * date of birth that goes through local time moves by a day in one of them.
 */
const EAST = 'Europe/Moscow';
const TESTS_OF_DATES = [
  'protocol/wire/matching.test.ts',
  'protocol/wire/fields.test.ts',
  'ehr-server/matching.test.ts',
  'ehr-server/mis/{keys,sqlite}.test.ts',
  'mis-fixtures/personas.test.ts',
  'mis-fixtures/population.test.ts',
  'mock-client/flow/form.test.ts',
  'mock-client/flow/linking.test.ts',
  'mock-client/ui/format.test.ts',
];

/** In the order in which they run. */
const PROJECTS = ['shared', 'flows', 'east', 'apart'];

/**
 * One project after the other, because a process is used again only while the next file is of its project. In
 * each the long files first. Each of these groups in an order that the seed decides.
 */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { seed } = this.ctx.config.sequence;
    const groupOf = ({ moduleId, project }: TestSpecification) => {
      const isShort = LONG_FILES.every((file) => !moduleId.endsWith(file));
      return 2 * PROJECTS.indexOf(project.name) + Number(isShort);
    };
    const place = (file: TestSpecification) =>
      `${groupOf(file)} ${createHash('sha256').update(`${seed} ${file.moduleId}`).digest('hex')}`;
    return [...files].sort((a, b) => (place(a) < place(b) ? -1 : 1));
  }
}

export default defineConfig({
  test: {
    exclude: [
      ...['node_modules/**', '**/dist/**', '.data/**', 'test-results/**'],
      ...(process.env.TEST_ALL === undefined ? [LONG_TESTS] : []),
    ],
    // Starts nothing by itself: the first test that needs a PostgreSQL asks for it.
    globalSetup: ['testing/postgres/global-setup.ts'],
    setupFiles: ['testing/runner/vitest-setup.ts'],
    // The kit tells GitHub Actions its verdicts. Those of tests are not for the page of the build.
    env: { GITHUB_ACTIONS: '' },
    pool: 'forks',
    // In MiB. Few objects outlive a test, so a wider space for new ones saves a twentieth of the time.
    // The threads of `npx stryker run` take no such flag.
    execArgv: process.env.STRYKER_MUTATOR_WORKER === undefined ? ['--max-semi-space-size=64'] : [],
    // Files share a process and its modules: a third less time than a process for each.
    projects: [
      {
        extends: true,
        test: {
          name: { label: 'shared', color: 'blue' },
          isolate: false,
          include: ['**/*.test.{ts,tsx}'],
          exclude: [...FILES_APART, ...FLOWS],
        },
      },
      {
        extends: true,
        test: {
          name: { label: 'flows', color: 'green' },
          isolate: false,
          include: FLOWS,
          runner: './testing/runner/silence-runner.ts',
          testTimeout: 0,
          hookTimeout: HOOK_OF_FLOW_TIMEOUT_MS,
        },
      },
      { extends: true, test: { name: { label: 'apart', color: 'cyan' }, include: [...FILES_APART] } },
      {
        extends: true,
        test: {
          name: { label: 'east', color: 'yellow' },
          isolate: false,
          include: [...TESTS_OF_DATES],
          env: { TZ: EAST },
        },
      },
    ],
    // The long files wait for a third of their time, so three share even a small machine: more of them take
    // no less time in all, and each comes nearer to its time limits.
    maxWorkers: Math.max(3, availableParallelism()),
    testTimeout: 120_000,
    hookTimeout: 120_000,
    retry: 0,
    allowOnly: false,
    passWithNoTests: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // An order that changes from run to run shows tests that lean on each other. The printed seed repeats it:
    // npx vitest run --sequence.seed=1234
    sequence: { shuffle: { tests: true }, sequencer: LongFilesFirst },
    reporters,
  },
});

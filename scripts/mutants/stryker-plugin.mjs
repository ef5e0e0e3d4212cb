/**
 * Extends Stryker: a sample of the mutants, a test file that cannot be loaded counts as red, and a line for
 * each unnoticed mutant. Stryker also loads this module in its own processes.
 */
import { relative } from 'node:path';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';
import { sampleOf } from './sample.mjs';

/** A checker decides which mutants Stryker runs. This one passes only the sample. */
function createSampler({ mutantSample }) {
  return {
    init: async () => undefined,
    // One group: the sample is drawn from all mutants.
    group: async (mutants) => [mutants.map(({ id }) => id)],
    async check(mutants) {
      const drawn = sampleOf(mutants, mutantSample);
      const statusOf = (id) =>
        drawn.has(id) ? { status: 'passed' } : { status: 'compileError', reason: 'not in the sample' };
      return Object.fromEntries(mutants.map(({ id }) => [id, statusOf(id)]));
    },
  };
}
createSampler.inject = ['options'];

/**
 * Extends the vitest runner, which looks only at tests. A run is also red when a mutant keeps a test file
 * from loading, or leaves an error behind after its test.
 */
function createStrictRunner(injector) {
  const [{ factory }] = vitestPlugins;
  const runner = factory(injector);
  const mutantRun = runner.mutantRun.bind(runner);
  runner.mutantRun = async (options) => {
    // Activates the mutant before modules are loaded: when given test files, Stryker 9.6 would activate a
    // mutant in module code too late.
    const result = await mutantRun({ ...options, mutantActivation: 'static' });
    if (result.status !== 'survived' && result.status !== 'error') return result;
    const { state } = runner.ctx;
    const isRed = state.errorsSet.size > 0 || state.getFiles().some((file) => file.result?.state === 'fail');
    return isRed
      ? { status: 'killed', killedBy: [], failureMessage: 'the run is red', nrOfTests: 0 }
      : result;
  };
  return runner;
}
createStrictRunner.inject = ['$injector'];

/** Statuses of a mutant that no test noticed. */
const UNNOTICED_STATUSES = ['Survived', 'NoCoverage'];

/** Statuses of a mutant that is not tested: a checker rejects it, or it is ignored. */
const NOT_TESTED_STATUSES = ['CompileError', 'Ignored'];

function createProgress({ mutantSample: { count, root } }) {
  let total = 0;
  let tested = 0;
  let unnoticed = 0;
  const isScreen = process.stderr.isTTY;
  const show = () => {
    const line = `${tested} of ${total} mutants tested, ${unnoticed} unnoticed`;
    if (isScreen) process.stderr.write(`\r\u001b[K${line}`);
    else if (tested % 10 === 0 || tested === total) process.stderr.write(`${line}\n`);
  };
  return {
    onMutationTestingPlanReady({ mutantPlans }) {
      total = Math.min(count, mutantPlans.length);
      show();
    },
    onMutantTested({ status, fileName, location, mutatorName, replacement }) {
      if (NOT_TESTED_STATUSES.includes(status)) return;
      tested++;
      if (UNNOTICED_STATUSES.includes(status)) {
        unnoticed++;
        const { line, column } = location.start;
        if (isScreen) process.stderr.write('\r\u001b[K');
        process.stdout.write(
          `${status}  ${relative(root, fileName)}:${line}:${column}  ${mutatorName}: ${replacement.replace(/\s+/g, ' ')}\n`,
        );
      }
      show();
    },
    /** Runs before the reporters that write files. They receive the same object and write only the sample. */
    onMutationTestReportReady({ files }) {
      if (isScreen) process.stderr.write('\r\u001b[K');
      for (const file of Object.values(files))
        file.mutants = file.mutants.filter(({ status }) => !NOT_TESTED_STATUSES.includes(status));
    },
  };
}
createProgress.inject = ['options'];

/** The red change of a check is a part of its test, though it stands beside the check. */
const redChanges = {
  shouldIgnore: ({ node }) =>
    ['ObjectProperty', 'ObjectMethod'].includes(node.type) && node.key.name === 'red'
      ? 'a red change is a part of a test'
      : undefined,
};

export const strykerPlugins = [
  { kind: 'Ignore', name: 'red-changes', value: redChanges },
  { kind: 'Checker', name: 'sample', factory: createSampler },
  { kind: 'TestRunner', name: 'strict-vitest', factory: createStrictRunner },
  { kind: 'Reporter', name: 'unnoticed', factory: createProgress },
];

export const strykerValidationSchema = { properties: { mutantSample: { type: 'object' } } };

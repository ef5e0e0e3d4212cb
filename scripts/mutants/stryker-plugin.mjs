/** What Stryker lacks: a sample of the mutants, a red test file as a sign, and a line for each mutant that no test notices. Loaded by Stryker, in its own processes too. */
import { relative } from 'node:path';
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner';
import { sampleOf } from './sample.mjs';

/** Stryker asks its checkers which mutants are worth a test run; this one lets the sample through. */
function createSampler({ mutantSample }) {
  return {
    init: async () => undefined,
    // All at once: the sample is drawn from all.
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
 * The runner for vitest, which looks at tests alone. A mutant with which a test file cannot be loaded, or that leaves an
 * error behind after its test, makes a run red as well.
 */
function createStrictRunner(injector) {
  const [{ factory }] = vitestPlugins;
  const runner = factory(injector);
  const mutantRun = runner.mutantRun.bind(runner);
  runner.mutantRun = async (options) => {
    // From the loading of the modules on: when it is given test files, Stryker 9.6 switches a mutant of the code that
    // runs there on too late.
    const result = await mutantRun({ ...options, mutantActivation: 'static' });
    if (result.status !== 'survived' && result.status !== 'error') return result;
    const { state } = runner.ctx;
    const isRed = state.errorsSet.size > 0 || state.getFiles().some((file) => file.result?.state === 'fail');
    return isRed ? { status: 'killed', killedBy: [], failureMessage: 'the run is red', nrOfTests: 0 } : result;
  };
  return runner;
}
createStrictRunner.inject = ['$injector'];

/** Statuses of a mutant that no test noticed. */
const UNNOTICED = ['Survived', 'NoCoverage'];

/** Statuses of what is not tested: a checker held it back, which is Stryker's only word for that, or it is ignored. */
const NOT_TESTED = ['CompileError', 'Ignored'];

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
      if (NOT_TESTED.includes(status)) return;
      tested++;
      if (UNNOTICED.includes(status)) {
        unnoticed++;
        const { line, column } = location.start;
        if (isScreen) process.stderr.write('\r\u001b[K');
        process.stdout.write(
          `${status}  ${relative(root, fileName)}:${line}:${column}  ${mutatorName}: ${replacement.replace(/\s+/g, ' ')}\n`,
        );
      }
      show();
    },
    /** Comes before the reporters that write files, which get the same object: they write the sample alone. */
    onMutationTestReportReady({ files }) {
      if (isScreen) process.stderr.write('\r\u001b[K');
      for (const file of Object.values(files))
        file.mutants = file.mutants.filter(({ status }) => !NOT_TESTED.includes(status));
    },
  };
}
createProgress.inject = ['options'];

/** The red change of a check is a part of its test, though it stands beside the check. */
const redChanges = {
  shouldIgnore: ({ node }) =>
    node.type === 'ObjectProperty' && node.key.name === 'red' ? 'a red change is a part of a test' : undefined,
};

export const strykerPlugins = [
  { kind: 'Ignore', name: 'red-changes', value: redChanges },
  { kind: 'Checker', name: 'sample', factory: createSampler },
  { kind: 'TestRunner', name: 'strict-vitest', factory: createStrictRunner },
  { kind: 'Reporter', name: 'unnoticed', factory: createProgress },
];

export const strykerValidationSchema = { properties: { mutantSample: { type: 'object' } } };

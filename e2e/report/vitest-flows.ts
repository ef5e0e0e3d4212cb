/** Vitest reporter: writes the result of each test as it ends. */
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';
import { sentenceOf } from '#testing/recording/sentence.ts';
import { tellFlow } from './flow-result.ts';

export default class VitestFlows implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors } = test.result();
    // Excluded by --grep.
    if (state === 'skipped') return;
    tellFlow({
      file: placeOf(test.module),
      title: test.fullName,
      place: [...test.module.children.allTests()].indexOf(test),
      passed: state === 'passed',
      seconds: (test.diagnostic()?.duration ?? 0) / 1_000,
      ...(errors?.[0] && { sentence: sentenceOf(errors[0]) }),
    });
  }

  /** Tells a file that cannot be played at all, such as when a server does not start. */
  onTestModuleEnd(module: TestModule): void {
    const suites = [module, ...module.children.allSuites()];
    const [error] = suites.flatMap((suite) => suite.errors());
    if (error) tellOutside(placeOf(module), error);
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const [error] = errors;
    if (error) tellOutside('e2e', error);
  }
}

function tellOutside(file: string, error: SerializedError): void {
  const title = '(before or after its flows)';
  tellFlow({ file, title, place: 0, passed: false, seconds: 0, sentence: sentenceOf(error) });
}

const placeOf = ({ moduleId }: TestModule) => relative(process.cwd(), moduleId);

/** Vitest reporter: writes the result of each test as it ends. */
import { relative } from 'node:path';
import type { Reporter, TestCase } from 'vitest/node';
import { tellFlow } from './flow-result.ts';

export default class VitestFlows implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    // Excluded by --grep.
    if (state === 'skipped') return;
    tellFlow({
      file: relative(process.cwd(), test.module.moduleId),
      title: test.fullName,
      passed: state === 'passed',
      seconds: (test.diagnostic()?.duration ?? 0) / 1_000,
    });
  }
}

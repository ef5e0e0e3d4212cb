/** Playwright reporter: writes the result of each test as it ends. */
import { relative } from 'node:path';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';
import { sentenceOf } from '#testing/recording/sentence.ts';
import { tellFlow } from './flow-result.ts';

export default class PlaywrightFlows implements Reporter {
  onTestEnd(test: TestCase, result: TestResult): void {
    tellFlow({
      file: relative(process.cwd(), test.location.file),
      // The first three titles are the run, the project and the file.
      title: test.titlePath().slice(3).join(' > '),
      place: test.location.line,
      passed: test.ok(),
      seconds: result.duration / 1_000,
      ...(result.error && { sentence: sentenceOf(result.error) }),
    });
  }

  printsToStdio(): boolean {
    return false;
  }
}

/** Runs the end-to-end tests of vitest: each may take as long as it likes, as long as something happens. */
import { type RunnerTestCase, TestRunner } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { endedBySilence } from './signs-of-life.ts';

export default class SilenceRunner extends TestRunner {
  runTask(test: RunnerTestCase): Promise<void> {
    return endedBySilence(systemClock, () => TestRunner.getTestFn(test)());
  }
}

/** A test that writes to console.error or console.warn fails. `npm run e2e` records the messages. */
import { relative } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';

if (process.env.E2E_RECORDING !== undefined) {
  const { beginFlow, endFlow } = await import('../recording/recorded-flow.ts');
  beforeEach(beginFlow);
  afterEach(async ({ task }) => {
    const { testPath = '', currentTestName = '' } = expect.getState();
    await endFlow(relative(process.cwd(), testPath), currentTestName, task.result?.errors?.[0]);
  });
}

const written: string[] = [];

for (const level of ['error', 'warn'] as const)
  console[level] = (...values: unknown[]) => {
    const message = `console.${level} was called: ${values.map(String).join(' ')}`;
    written.push(message);
    throw new Error(message);
  };

beforeEach(() => void written.splice(0));

// The code under test may catch the exception above; this check cannot be caught.
afterEach(() => {
  expect(written, 'a test must not write to console.error or console.warn').toEqual([]);
});

// Vitest takes stubs back before the next test alone, and the beforeAll of the next file comes before that.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

// A command listens to signals until its process ends, but this process goes on with the next file.
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
const listening = new Set(SIGNALS.flatMap((signal) => process.listeners(signal)));

afterAll(() => {
  for (const signal of SIGNALS)
    for (const listener of process.listeners(signal))
      if (!listening.has(listener)) process.off(signal, listener);
});

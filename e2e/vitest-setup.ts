/** Loaded before every vitest file: whatever writes a warning or an error to the console fails its test, and `npm run e2e` has what crosses the wire recorded. */
import { relative } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';

if (process.env.E2E_RECORDING !== undefined) {
  const { beginFlow, endFlow } = await import('./recorded-flow.ts');
  beforeEach(beginFlow);
  afterEach(() => {
    const { testPath = '', currentTestName = '' } = expect.getState();
    endFlow(relative(process.cwd(), testPath), currentTestName);
  });
}

const written: string[] = [];

for (const level of ['error', 'warn'] as const) {
  console[level] = (...values: unknown[]) => {
    const message = `console.${level} was called: ${values.map(String).join(' ')}`;
    written.push(message);
    throw new Error(message);
  };
}

beforeEach(() => void written.splice(0));

// The throw above may be caught by the code under test; this is not.
afterEach(() => {
  expect(written, 'a test must not write to console.error or console.warn').toEqual([]);
});

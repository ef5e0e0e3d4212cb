import { expect, test } from 'vitest';
import { nodeProblem } from './set-up.mjs';
import { freshClone } from './testing/fresh-clone.ts';

test('a Node that can run the project is accepted', () => {
  for (const version of ['20.19.0', '20.20.2', '22.14.0', '22.23.0', '24.0.0', '24.21.0', '26.10.0'])
    expect(nodeProblem(version), version).toBeUndefined();
});

test('an older Node gets one sentence about the fault and remedy', () => {
  for (const version of ['12.22.0', '18.20.8', '20.18.3', '21.7.3', '22.13.1', '23.11.1'])
    expect(nodeProblem(version)).toBe(
      `This project needs Node 20.19, 22.14, 24 or newer, and this is Node ${version}. Please install one from https://nodejs.org.`,
    );
});

test('a set-up that fails ends with code 2, which is no verdict', () => {
  const { run } = freshClone();
  expect(() => run('scripts/run.mjs', 'conformance/main.ts', 'replay', 'a')).toThrow(
    expect.objectContaining({
      status: 2,
      message: expect.stringContaining('Failed to install the dependencies: npm ci'),
    }),
  );
});

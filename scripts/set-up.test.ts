import { expect, test } from 'vitest';
import { nodeProblem } from './set-up.mjs';

test('a Node that can run the project is accepted', () => {
  for (const version of ['20.19.0', '20.20.2', '22.12.0', '22.20.0', '23.0.0', '24.1.0']) {
    expect(nodeProblem(version), version).toBeUndefined();
  }
});

test('an older Node gets one sentence that says what is wrong and where to get another', () => {
  for (const version of ['12.22.0', '18.20.8', '20.18.3', '21.7.3', '22.11.0']) {
    expect(nodeProblem(version)).toBe(
      `This project needs Node 20.19, Node 22.12 or newer, and this is Node ${version}. Please install one from https://nodejs.org.`,
    );
  }
});

import { expect, test } from 'vitest';
import { stepText } from './step-text.ts';

const step = {
  ...({ kind: 'step', seq: 1, at: 0, scenario: 'logout' } as const),
  label: 'log out',
  step: 'logout',
} as const;
const result = { kind: 'absent' } as const;

test('a step names its person, its mistake and how it ended', () => {
  expect(stepText({ step: { ...step, user: 'Mia', defect: 'a session of nobody' }, result })).toMatch(
    /^log out \[logout by Mia, wrong on purpose: a session of nobody\]: \w/,
  );
});

test('a step of nobody names nobody', () => {
  expect(stepText({ step: { ...step, user: '' }, result })).toMatch(/^log out \[logout\]: \w/);
});

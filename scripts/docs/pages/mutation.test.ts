import { expect, test } from 'vitest';
import { mutationPage } from './mutation.ts';

const unnoticed = {
  file: 'protocol/wire/json.ts',
  line: 'a || b;',
  code: 'a || b',
  replacement: '',
  because: 'it is so',
};
const scores = {
  protocol: {
    seed: 3,
    mutants: 900,
    tested: 42,
    killed: 38,
    timedOut: 1,
    equivalent: 1,
    score: 95.1,
    unnoticed: [unnoticed, { ...unnoticed, because: undefined, replacement: 'a `x`' }],
  },
};

test('the page has the score, draw and seed of each measured room', () => {
  const page = mutationPage(JSON.stringify(scores));
  expect(page).toMatch(/\| `protocol` \| .* \| 95\.1 % \| 95 % \| 39 of 41 \| 1 \| 900 \| 3 \|/);
  expect(page).toMatch(/^Not measured yet: .*`checks`\.$/m);
});

test('mutants that nobody noticed stand there, without the equivalent ones', () => {
  const page = mutationPage(JSON.stringify(scores));
  expect(page).toContain(
    '| [`protocol/wire/json.ts`](../protocol/wire/json.ts) | `a \\|\\| b` | `` a `x` `` |',
  );
  expect(page).not.toContain('it is so');
});

test('without a score the page says that no room was measured', () =>
  expect(mutationPage('')).toMatch(/^Not measured yet: `protocol`, /m));

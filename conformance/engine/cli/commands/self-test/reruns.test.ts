import { expect, test } from 'vitest';
import { scoreOfReruns } from './reruns.ts';

const row = (...disagreements: string[]) => ({ id: 'a', red: 3, scenarios: 2, disagreements });

test('one rerun that disagrees fails the self-test', () => {
  expect(scoreOfReruns([row(), row()], 10)).toMatchObject({ ok: true, agreed: 2, red: 6, share: 20 });
  expect(scoreOfReruns([row(), row('it differs')], 10)).toMatchObject({ ok: false, runs: 2, agreed: 1 });
  expect(scoreOfReruns([], 10).ok).toBe(false);
});

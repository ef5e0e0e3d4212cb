import { expect, test } from 'vitest';
import { seededRandom } from '#protocol/time/random.ts';
import { explore, type Play } from './explore.ts';

/** A server that errs at a disconnection after an authenticate. */
const errs: Play = async (steps, isWanted) => {
  const opened = steps.findIndex(({ kind }) => kind === 'authenticate');
  const at = steps.findIndex(({ kind }, index) => kind === 'removeAuthentication' && index > opened);
  const step = steps[at];
  if (opened < 0 || !step) return undefined;
  const difference = { step, breaks: 'does', expected: 'not_authorized', actual: 'ok' } as const;
  return isWanted(difference) ? { ...difference, at: at + 1 } : undefined;
};

const explored = (seed: number) =>
  explore(errs, seededRandom(seed), { canAdvance: true, maxSteps: 100, isLate: () => false });

test('a sequence is shortened to the steps that matter', async () => {
  const { shortest } = await explored(1);
  expect(shortest.map(({ steps }) => steps.map(({ kind }) => kind))).toEqual([
    ['authenticate', 'removeAuthentication'],
  ]);
});

test('a seed gives the same sequence each time', async () => {
  const first = await explored(1);
  expect(await explored(1)).toEqual(first);
  expect(await explored(2)).not.toEqual(first);
});

import { expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import type { Run } from '../../journal/run-file.ts';
import { wholeRow, wholeRows } from './whole.ts';

const defect = { id: 'a-defect', title: 'It is wrong', caughtBy: 'its-check' };
const cause = (...checks: string[]) => ({ cause: 'it is so', checks });

test('a defect’s row tells the place of its cause, and whether its check leads', () => {
  expect(wholeRow(defect, [cause('its-check', 'other')])).toEqual({
    id: 'a-defect',
    check: 'its-check',
    causes: 1,
    place: 1,
    leader: 'its-check',
    first: 'its-check: it is so',
  });
  expect(wholeRow(defect, [cause('other'), cause('more', 'its-check')])).toMatchObject({
    place: 2,
    leader: 'more',
  });
  expect(wholeRow(defect, [])).toMatchObject({ causes: 0, place: 0, first: 'nothing is red' });
});

test('each drawn defect is played once, an error that nobody handles included', async () => {
  const meta = { mode: 'scenarios', finished: true, role: 'client' } as Run['meta'];
  const played: string[] = [];
  const rows = await wholeRows(
    {
      party: 'client',
      checks: [],
      defects: [defect, { ...defect, id: 'another' }],
      play: async ({ id }) => {
        played.push(id);
        process.emit('uncaughtException', new Error('of the defect'));
        return { meta, entries: [] };
      },
    },
    { clock: systemClock, seed: 1, signal: new AbortController().signal, drawSeed: 1, sample: 2, only: 'a-' },
  );
  expect(played).toEqual(['a-defect']);
  expect(rows).toHaveLength(1);
});

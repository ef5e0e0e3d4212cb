import { expect, test } from 'vitest';
import type { StepResult } from '../../../engine/journal/entry.ts';
import { JournalView } from '../../../engine/journal/view.ts';
import { FakeJournal } from '../../../engine/report/testing/fake-journal.ts';
import { racesOfStateFlows } from './at-once.ts';

const ID = 'guesses-counted-at-once';
const check = racesOfStateFlows.flatMap(({ checks }) => checks).find(({ id }) => id === ID);

const noMatch = { error: { code: -33000, message: 'No. Incident 41.', data: {} } };
const locked = { error: { code: -33000, message: 'Too many tries.', data: {} } };
const done: StepResult = { kind: 'done', values: {} };
const refused: StepResult = { kind: 'refused', status: 200, code: '-33000' };

function found(inTurn: readonly object[], afterwards: StepResult | undefined, atOnce: readonly object[]) {
  const journal = new FakeJournal();
  const played = (label: string, result: StepResult, reply: object) =>
    journal.step({ user: 'u', step: 'authenticate', label }, result, () =>
      journal.exchange('client->ehr', { body: {}, reply }),
    );
  journal.scenario(ID, () => {
    for (const reply of inTurn) played('a guess in turn', refused, reply);
    if (afterwards) played('the right properties afterwards', afterwards, {});
    for (const reply of atOnce) played('a guess', refused, reply);
  });
  return check?.judge(new JournalView(journal.entries));
}

test('guesses are counted by what the server answers, whatever its codes', () => {
  const [three, endless] = [Array(3).fill(noMatch), Array(20).fill(noMatch)];
  expect(found([...three, locked], undefined, [...three, locked])?.outcome).toBe('pass');
  expect(found([...three, locked], undefined, Array(9).fill(noMatch))).toMatchObject({
    outcome: 'fail',
    actual: '9 were tried, and answered as the first one',
  });
  expect(found(endless, done, [noMatch])).toMatchObject({
    outcome: 'fail',
    actual: 'after 20 of them the right properties open the record',
  });
  expect(found(endless, refused, [noMatch])?.outcome).toBe('not applicable');
});

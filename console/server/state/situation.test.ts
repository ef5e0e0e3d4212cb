/** A situation that comes back: by a snapshot, and by a link opened in another demo. */
import { expect, test } from 'vitest';
import type { ClockState, Moment, State, StateTable } from '../../api.ts';
import { type Demo, startConsole } from '../testing/start-console.ts';

/** Everything that a snapshot keeps, as the page shows it. */
async function snapshotOf({ get, post }: Demo) {
  const [state, clock, faults, moment, snapshot] = await Promise.all([
    get<State>('/api/state'),
    get('/api/clock'),
    get<object[]>('/api/faults'),
    get<Moment>('/api/moment'),
    post('/api/snapshots', { name: 'here' }),
  ]);
  return { state: { ...state, tables: state.tables.map(withoutMarks) }, clock, faults, moment, snapshot };
}

/** Which message changed a row depends on when the servers were read. */
const withoutMarks = (table: StateTable): StateTable => ({
  ...table,
  rows: table.rows.map(({ changedBy: _changedBy, ...row }) => row),
});

test('a restored snapshot goes on amid its scenario, and its link elsewhere too', async () => {
  const [one, other] = [await startConsole(), await startConsole()];
  const step = (demo: Demo, id?: string) => demo.post('/api/scenario', { do: 'step', ...(id && { id }) });
  const stepsBefore = ['save-reply-lost', undefined, undefined, undefined];
  for (const id of stepsBefore) await step(one, id);
  await one.post('/api/clock', { advanceMs: 60_000 });
  await one.post('/api/faults', { wire: 'client->ehr', fault: 'late', times: 2, delayMs: 10 });
  await one.post('/api/text-trouble', { kind: 'doubled', times: 4 });
  const here = await snapshotOf(one);
  expect(here.moment).toMatchObject({
    scenario: 'save-reply-lost',
    step: 4,
    textTrouble: { kind: 'doubled' },
  });
  expect(here.faults).toMatchObject([{ fault: 'reply-lost' }, { fault: 'late' }]);

  expect(await step(one)).toMatchObject({ step: 5 });
  await one.post('/api/scenario', { do: 'play', id: 'namesakes' });
  const stream = await one.events();
  await one.post('/api/snapshots/1/restore');
  expect(await stream.until('reset')).toEqual({ isEmptied: false });
  const { snapshot: _first, ...kept } = here;
  const { snapshot: _second, ...restored } = await snapshotOf(one);
  expect(withoutIds(restored)).toEqual(withoutIds(kept));
  expect(await step(one)).toEqual({ id: 'save-reply-lost', step: 5, phase: 'paused' });
  await one.post('/api/snapshots/1/restore');

  const link = JSON.parse(JSON.stringify(await one.get<Moment>('/api/moment')));
  await other.post('/api/moment', link);
  const { snapshot: _third, ...opened } = await snapshotOf(other);
  expect(withoutIds(opened)).toEqual(withoutIds(kept));
  expect(await step(other)).toEqual({ id: 'save-reply-lost', step: 5, phase: 'paused' });
});

test('a link still holds the steps of a scenario that somebody took over', async () => {
  const [one, other] = [await startConsole(), await startConsole()];
  for (const id of ['token-expired', undefined, undefined])
    await one.post('/api/scenario', { do: 'step', ...(id && { id }) });
  await one.post('/api/scenario', { do: 'takeOver' });
  await one.post('/api/clock', { advanceMs: 60_000 });
  const link = await one.get<Moment>('/api/moment');
  expect(link).toMatchObject({ scenario: 'token-expired', step: 3, movedMs: 60_000 });
  expect(await other.post('/api/moment', link)).toMatchObject({ id: 'token-expired', step: 3 });
  const offsetIn = async ({ get }: Demo) => (await get<ClockState>('/api/clock')).offsetMs;
  expect(await offsetIn(other)).toBe(await offsetIn(one));

  await one.post('/api/snapshots', { name: 'taken over' });
  await one.post('/api/reset');
  expect(await one.get('/api/moment')).toMatchObject({ scenario: null, step: 0 });
  await one.post('/api/snapshots/1/restore');
  expect(await one.get('/api/moment')).toEqual(link);
});

/** Faults that are armed again have another id. */
function withoutIds<S extends { faults: object[] }>(situation: S): S {
  return { ...situation, faults: situation.faults.map((fault) => ({ ...fault, id: 0 })) };
}

test('a deleted snapshot is gone, and the others keep their ids', async () => {
  const { ask, get, post } = await startConsole();
  for (const name of ['first', 'second', 'third']) await post('/api/snapshots', { name });
  const { body: left } = await ask('DELETE', '/api/snapshots/2');
  expect(left).toMatchObject([
    { id: 3, name: 'third' },
    { id: 1, name: 'first' },
  ]);
  expect(await get('/api/snapshots')).toEqual(left);
  expect((await ask('POST', '/api/snapshots/2/restore')).status).toBe(404);
  expect((await ask('POST', '/api/snapshots/3/restore')).status).toBe(200);
  expect(await post('/api/snapshots', { name: 'fourth' })).toMatchObject({ id: 4 });
});

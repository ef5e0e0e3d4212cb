import { expect, test } from 'vitest';
import { anna } from '#testing/people.ts';
import { ScriptedClient } from '#testing/scripted-client.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';
import { useControlledWorld } from '#testing/worlds/use-world.ts';

test('a snapshot of both servers comes back as often as asked', async () => {
  const world = await useControlledWorld({ env: { EHR_DATABASE: ':memory:', AUTH_DATABASE: ':memory:' } });
  const ask = async (method: string, path: string) => {
    const answers = [world.ehrControl, world.authControl].map((control) =>
      fetch(control.url + path, { method }),
    );
    return Promise.all(answers.map(async (answer) => (await answer).json()));
  };
  const post = (path: string) => ask('POST', path);
  const client = await new ScriptedClient(world, '79990000001').connect(anna);
  expect(await post('/snapshots')).toEqual([{ id: 1 }, { id: 1 }]);
  for (let time = 0; time < 2; time++) {
    expect(await post('/clear')).toEqual(Array(2).fill({ cleared: true }));
    expect(reasonOf(await client.getPatient())).toBe('not_authorized');
    expect(reasonOf(await client.exchangeToken())).toBe('not_authorized');
    expect(await post('/snapshots/1/restore')).toEqual(Array(2).fill({ restored: true }));
    resultOf(await client.getPatient());
    resultOf(await client.exchangeToken());
  }
  const notFound = Array(2).fill({ error: { reason: 'not_found' } });
  expect(await post('/snapshots/2/restore')).toMatchObject(notFound);
  expect(await post('/snapshots')).toEqual([{ id: 2 }, { id: 2 }]);
  expect(await ask('DELETE', '/snapshots/2')).toEqual(Array(2).fill({ deleted: true }));
  expect(await post('/snapshots/2/restore')).toMatchObject(notFound);
  expect(await ask('DELETE', '/snapshots/2')).toMatchObject(notFound);
  expect(await post('/snapshots')).toEqual([{ id: 3 }, { id: 3 }]);
});

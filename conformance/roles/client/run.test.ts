import { expect, test } from 'vitest';
import { people } from './people/people.ts';
import { openPlay, type PlayOptions, showing, template } from './self-test/self-test.ts';
import type { ClientWorld } from './world.ts';

const CALLS_NOBODY = showing({ sees: 'code', text: 'Please enter it.' });

async function playTwo(options: PlayOptions): Promise<string[]> {
  const run = await openPlay(options);
  const signIn = (world: ClientWorld) => world.act('signs in', { do: 'signIn', phone: people.darya.signIn });
  const one = (id: string) => ({
    id,
    title: id,
    play: async (world: ClientWorld) => void (await signIn(world)()),
    checks: [],
  });
  try {
    await run.playAll([one('first'), one('second')]);
    return run.recorder
      .entries()
      .flatMap((entry) => (entry.kind === 'scenario' ? `${entry.phase} ${entry.scenario}` : []));
  } finally {
    await run.close();
  }
}

test('clients with a storage of their own are played side by side', async () => {
  const order = await playTwo({ command: [...CALLS_NOBODY, template('storage')] });
  expect(order.slice(0, 2)).toEqual(['begin first', 'begin second']);
});

test('clients that may share what they keep are played one after the other', async () => {
  const order = await playTwo({ command: CALLS_NOBODY });
  expect(order).toEqual(['begin first', 'end first', 'begin second', 'end second']);
});

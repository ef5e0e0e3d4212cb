import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { deadline } from './deadline.mjs';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('it fires when the time has passed, though garbage was collected meanwhile', async () => {
  const { signal } = deadline(new AbortController().signal, 50);
  const fired = once(signal, 'abort');
  collectGarbage();
  await fired;
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
});

test('the signal aborts with its parent, and not after end()', () => {
  const closing = new AbortController();
  const [early, ended] = [deadline(closing.signal), deadline(closing.signal)];
  ended.end();
  closing.abort(new Error('The server stops.'));
  expect(early.signal.reason).toEqual(new Error('The server stops.'));
  expect(ended.signal.aborted).toBe(false);
  expect(deadline(closing.signal, 50).signal.aborted).toBe(true);
});

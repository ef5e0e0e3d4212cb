import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { openConnection, requestText, serve } from '../testing.ts';

const GET = requestText('GET /');

test('a drain answers calls on kept connections, and then closes the rest', async () => {
  const clock = manualClock();
  const { port, stop } = await serve((_request, response) => void response.end('done'), {
    clock,
    drainMs: 1_000,
  });
  const [used, unused] = [await openConnection(port), await openConnection(port)];
  used.socket.write(GET);
  await used.until(/done/);
  const events: string[] = [];
  const stopped = stop().then(() => events.push('stopped'));
  used.socket.write(GET);
  expect(await used.closed).toMatch(/Connection: keep-alive.*done.*Connection: close.*done/s);
  clock.advance(999);
  expect(unused.socket.destroyed).toBe(false);
  expect(events).toEqual([]);
  clock.advance(1);
  expect(await unused.closed).toBe('');
  await stopped;
});

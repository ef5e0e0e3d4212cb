import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { onTestFinished, test } from 'vitest';
import { expectUnreached } from './testing/fresh-clone.ts';

/** Returns the address of a registry that takes connections and never answers. */
async function silentRegistry(): Promise<string> {
  const server = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

// npm itself would try for minutes: the time-out of the test is what shows the difference.
test('a first start without a network says so, refused or unanswered', () =>
  Promise.all([expectUnreached('http://127.0.0.1:9/'), silentRegistry().then(expectUnreached)]));

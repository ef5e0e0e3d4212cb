import { EventEmitter } from 'node:events';
import type { Server, Socket } from 'node:net';
import { expect, test } from 'vitest';
import { manualClock } from '#protocol/clock.ts';
import { admitInTurn } from './admission.ts';
import { createThrottledNetworks } from './limits/throttled-networks.ts';

/** A server that admits in turn, and the names of the connections that it has begun to read from. */
function server() {
  const clock = manualClock();
  const throttled = createThrottledNetworks(clock);
  const begun: string[] = [];
  const emitter = new EventEmitter() as Server;
  emitter.on('connection', ({ name }: { name: string }) => void begun.push(name));
  admitInTurn(emitter, clock, throttled);
  const connect = (name: string, remoteAddress: string) => {
    const socket = {
      name,
      remoteAddress,
      destroyed: false,
      resume: () => void begun.push(`read ${name}`),
      destroy() {
        socket.destroyed = true;
      },
    };
    emitter.emit('connection', socket as unknown as Socket);
    return socket;
  };
  return { clock, throttled, begun, connect };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const turns = async (count: number) => {
  for (let at = 0; at < count; at++) await turn();
};

test('one connection is read from in a turn, and a crowd of one network waits for those of others', async () => {
  const { begun, connect } = server();
  for (const name of ['a1', 'a2', 'a3']) connect(name, '192.0.2.1');
  connect('b1', '192.0.2.2');
  connect('c1', '2001:db8::1');
  connect('c2', '2001:db8::2');
  expect(begun).toEqual([]);
  await turn();
  expect(begun).toEqual(['a1', 'read a1']);
  await turns(5);
  expect(begun.filter((name) => !name.startsWith('read'))).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('a connection that is gone before its turn takes none', async () => {
  const { begun, connect } = server();
  connect('a', '192.0.2.1').destroyed = true;
  connect('b', '192.0.2.1');
  await turn();
  expect(begun).toEqual(['b', 'read b']);
  connect('c', '192.0.2.1').destroyed = true;
  await turns(2);
  connect('d', '192.0.2.1');
  await turns(2);
  expect(begun).toEqual(['b', 'read b', 'd', 'read d']);
});

test('throttled networks come one by one at a slow pace, and nobody else waits for them', async () => {
  const { clock, throttled, begun, connect } = server();
  throttled.add('192.0.2.1');
  for (const name of ['a1', 'a2']) connect(name, '192.0.2.1');
  connect('b', '192.0.2.2');
  await turns(3);
  expect(begun).toEqual(['b', 'read b']);
  clock.advance(100);
  expect(begun.slice(2)).toEqual(['a1', 'read a1']);
  await turns(3);
  expect(begun.slice(4)).toEqual([]);
  clock.advance(100);
  expect(begun.slice(4)).toEqual(['a2', 'read a2']);
  clock.advance(2_000);
  connect('a3', '192.0.2.1');
  await turn();
  expect(begun.slice(6)).toEqual(['a3', 'read a3']);
});

test('a throttled network stays so for two seconds after the last refusal, and not longer because a clock was set back', () => {
  const clock = manualClock();
  const throttled = createThrottledNetworks(clock);
  throttled.add('192.0.2.1');
  clock.advance(1_500);
  throttled.add('192.0.2.1');
  clock.advance(1_999);
  expect([throttled.has('192.0.2.1'), throttled.has('192.0.2.2')]).toEqual([true, false]);
  clock.advance(1);
  expect(throttled.has('192.0.2.1')).toBe(false);
  throttled.add('192.0.2.1');
  clock.advance(-3_600_000);
  expect(throttled.has('192.0.2.1')).toBe(false);
});

test('connections that come to nothing throttle their network when there are more than twenty in a second', () => {
  const clock = manualClock();
  const throttled = createThrottledNetworks(clock);
  const waste = (count: number) => {
    for (let at = 0; at < count; at++) throttled.addUnusedConnection('192.0.2.1');
    return throttled.has('192.0.2.1');
  };
  expect(waste(20)).toBe(false);
  clock.advance(1_000);
  expect(waste(20)).toBe(false);
  expect(waste(1)).toBe(true);
  expect(throttled.has('192.0.2.2')).toBe(false);
});

test('of throttled networks a thousand connections wait, and for one more the oldest is closed', async () => {
  const { clock, throttled, begun, connect } = server();
  throttled.add('192.0.2.1');
  const sockets = Array.from({ length: 1_002 }, (_, index) => connect(`a${index}`, '192.0.2.1'));
  await turns(3);
  expect(sockets.map(({ destroyed }) => destroyed).indexOf(false)).toBe(2);
  clock.advance(100);
  expect(begun).toEqual(['a2', 'read a2']);
});

import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { closeQuietly } from './close-quietly.ts';

test('what node does at the close makes no stack traces, and finds the waiting requests let go', () => {
  const socket = new EventEmitter();
  const letGo: string[] = [];
  const seen: unknown[] = [];
  socket.on('close', () => seen.push(Error.stackTraceLimit, [...letGo]));
  const waiting = ['one', 'two'].map((name) => ({ destroy: () => letGo.push(name) }));
  closeQuietly(socket as Socket, () => waiting as unknown as IncomingMessage[]);
  const { stackTraceLimit } = Error;
  socket.emit('close');
  expect(seen).toEqual([0, ['one', 'two']]);
  expect([Error.stackTraceLimit, stackTraceLimit > 0]).toEqual([stackTraceLimit, true]);
});

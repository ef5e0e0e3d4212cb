import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listening } from '#testing/listening.ts';
import { readDemoConfig } from '../settings.ts';
import { publicPorts, publish } from './publish.ts';

async function publishFor(port: number): Promise<number> {
  const published = await publish('127.0.0.1', 0, port);
  onTestFinished(() => void published.close());
  return (published.address() as AddressInfo).port;
}

async function startParty() {
  const party = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text) => response.write(text));
    request.on('end', () => response.end(request.headers.host));
  });
  return { party, port: await listening(party) };
}

test('a published port passes a request on with the name it was asked by', async () => {
  const { port } = await startParty();
  const published = await publishFor(port);
  expect(published).not.toBe(port);
  const address = `http://localhost:${published}/`;
  const reply = await fetch(address, { method: 'POST', body: 'sent ' });
  expect(await reply.text()).toBe(`sent localhost:${published}`);
});

test('a connection ends at once when the party behind it is gone', async () => {
  const { party, port } = await startParty();
  const published = await publishFor(port);
  await new Promise((resolve) => party.close(resolve));
  const socket = connect(published, '127.0.0.1');
  await new Promise<void>((resolve) => socket.on('error', () => undefined).once('close', () => resolve()));
});

test('control ports and listeners between the servers are never published', () => {
  const portsOf = (...flags: string[]) => publicPorts(readDemoConfig(flags, {}) as never);
  expect(portsOf()).toEqual([4100, 4200, 4300, 4400]);
  expect(portsOf('--no-console')).toEqual([4100, 4200, 4300]);
});

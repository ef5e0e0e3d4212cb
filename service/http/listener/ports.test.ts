import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Log } from '../../process/log.ts';
import { bind, warnOfUnsafePort } from './ports.ts';

function warningsFor(url: string): string[] {
  const said: string[] = [];
  warnOfUnsafePort({ warn: (text: string) => said.push(text) } as unknown as Log, url);
  return said;
}

test('a port that browsers refuse is warned of', () => {
  for (const port of [6000, 6666, 10080])
    expect(warningsFor(`http://127.0.0.1:${port}`)).toEqual([
      `browsers refuse port ${port} as unsafe, so no page can call here. Please choose another one.`,
    ]);
  expect(warningsFor('https://[::1]:6697')).toHaveLength(1);
});

test('a port that browsers take is not warned of', () => {
  for (const url of ['http://127.0.0.1:4300', 'http://127.0.0.1', 'http://localhost:6001'])
    expect(warningsFor(url)).toEqual([]);
});

test('a listener takes 16,384 connections unless told otherwise', async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  await bind(server);
  expect(server.maxConnections).toBeLessThanOrEqual(16_384);
});

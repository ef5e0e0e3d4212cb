/** For tests: an HTTP server that gives the answer that a test sets, and an adapter whose steps go to it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import { seededRandom } from '#protocol/time/random.ts';
import type { StepName, StepResult } from '../../../../engine/journal/entry.ts';
import { bindServer } from '../../../../engine/wire/bind.ts';
import type { Adapter, AdapterParts, StepInput } from '../adapter.ts';
import type { LoadedAdapter } from '../file/load.ts';
import { openOtpSource } from '../otp/source.ts';
import { createAdapter } from '../steps/http-adapter.ts';
import { loadVariant } from './adapter-file.ts';

type Received = { method: string; path: string; headers: IncomingMessage['headers']; body: string };

type FakeReply = { status?: number; body?: unknown; headers?: Record<string, string | string[]> };

export type Answer = FakeReply | ((request: Received, response: ServerResponse) => void);

type FakeServer = { url: string; received: Received[]; json(): unknown; answer(answer: Answer): void };

export async function startFakeServer(first: Answer = {}): Promise<FakeServer> {
  const received: Received[] = [];
  let current = first;
  const server = createServer((message, response) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const { method = '', url: path = '', headers } = message;
      const request = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(request);
      if (typeof current === 'function') current(request, response);
      else send(response, current);
    });
  });
  const bound = await bindServer(server, '127.0.0.1', 0);
  onTestFinished(() => bound.stop());
  return {
    url: bound.url,
    received,
    json: () => JSON.parse(received.at(-1)?.body ?? ''),
    answer: (answer) => {
      current = answer;
    },
  };
}

export function send(response: ServerResponse, { status = 200, body = {}, headers = {} }: FakeReply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Returns an address at which nothing listens: that of a server that was stopped. */
export async function closedUrl(): Promise<string> {
  const bound = await bindServer(createServer(), '127.0.0.1', 0);
  await bound.stop();
  return bound.url;
}

type TestAdapter = Adapter & { does(step: StepName, input?: StepInput): Promise<StepResult> };

export type TestParts = Partial<Omit<AdapterParts, 'clock'>> & {
  clock?: Clock;
  env?: Record<string, string>;
};

/** Creates the adapter of a variant of the smallest file, whose steps go to `baseUrl`. */
export async function startAdapter(
  baseUrl: string,
  changes: Parameters<typeof loadVariant>[0] = {},
  parts: TestParts = {},
): Promise<TestAdapter> {
  return openAdapter(baseUrl, await loadVariant(changes, parts.env), parts);
}

/** Creates the adapter of a loaded file, and closes it when the test ends. */
export async function openAdapter(
  baseUrl: string,
  loaded: LoadedAdapter,
  parts: TestParts = {},
): Promise<TestAdapter> {
  const { clock = systemClock } = parts;
  const adapter = await createAdapter(loaded, {
    baseUrl,
    clock,
    seed: 1,
    random: seededRandom(1),
    otp: await openOtpSource(loaded.settings, { clock, ask: async () => undefined }),
    tell: () => undefined,
    waitForEffect: async () => ({}),
    ...parts,
  });
  onTestFinished(() => adapter.close());
  return {
    ...adapter,
    does: (step, input = {}) => adapter.perform(step, input, new AbortController().signal),
  };
}

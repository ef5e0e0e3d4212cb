/** What stands between a wire in memory and a server in the same page: the HTTP of both servers. */
import type { Channel, Pipeline } from '#protocol/methods/pipeline.ts';
import { onText } from '#protocol/methods/pipeline.ts';

type MemoryRequest = { method: string; path: string; body: string };
type MemoryAnswer = { status: number; headers: [string, string][]; body: Uint8Array };

export function served(pipeline: Pipeline, path: string, channel: Channel) {
  const answer = onText(pipeline);
  return async (request: MemoryRequest): Promise<MemoryAnswer> => {
    if (request.method !== 'POST' || request.path !== path) return jsonOf(404, NOTHING_HERE);
    const { body } = await answer(request.body, channel);
    return body === undefined ? { status: 204, headers: [], body: new Uint8Array() } : jsonOf(200, body);
  };
}

const NOTHING_HERE = JSON.stringify({ error: { reason: 'not_found', message: 'There is nothing here.' } });

function jsonOf(status: number, json: string): MemoryAnswer {
  const body = new TextEncoder().encode(json);
  return {
    status,
    headers: [
      ['content-type', 'application/json; charset=utf-8'],
      ['content-length', String(body.length)],
      ['cache-control', 'no-store'],
      ['x-content-type-options', 'nosniff'],
    ],
    body,
  };
}

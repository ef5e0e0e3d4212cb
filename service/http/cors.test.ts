import { expect, test } from 'vitest';
import { clientCall } from '#protocol/testing.ts';
import { proves } from '#testing/proves.ts';
import { JSON_TYPE, ORIGIN, serveRpc } from './testing.ts';

async function ask(init: RequestInit & { headers?: Record<string, string> }): Promise<Response> {
  const origins = new Set([ORIGIN, 'https://ehr.example.org']);
  const { url } = await serveRpc({ origins, bodyLimit: 1_000 });
  return fetch(url, init);
}

function preflight(origin: string, asked = 'content-type'): Promise<Response> {
  const headers = {
    Origin: origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': asked,
  };
  return ask({ method: 'OPTIONS', headers });
}

/** The CORS headers of a reply. */
function cors(reply: Response): Record<string, string> {
  return Object.fromEntries([...reply.headers].filter(([name]) => name.startsWith('access-control-')));
}

const readable = { 'access-control-allow-origin': ORIGIN, 'access-control-allow-credentials': 'true' };

proves(['D7-configured-origins', 'D7-credentials'], 'a page of a known origin reads answers', async () => {
  const posted = (body: string, type = JSON_TYPE) =>
    ({ method: 'POST', body, headers: { ...type, Origin: ORIGIN } }) as const;
  const call = JSON.stringify(clientCall());
  const rows = [
    [200, posted(call)],
    [204, posted(JSON.stringify(clientCall({ id: undefined })))],
    [405, { method: 'GET', headers: { Origin: ORIGIN } }],
    [413, posted('x'.repeat(1_001))],
    [415, posted(call, { 'Content-Type': 'text/plain' })],
  ] as const;
  for (const [status, init] of rows) {
    const reply = await ask(init);
    expect([reply.status, cors(reply), reply.headers.get('vary')]).toEqual([status, readable, 'Origin']);
  }
});

proves(['D7-configured-origins'], 'a page of any other origin may read nothing', async () => {
  const others = ['http://localhost:4301', 'https://localhost:4300', 'http://LOCALHOST:4300', 'null', '*'];
  for (const origin of [...others, `${ORIGIN}/`, `${ORIGIN}.example.org`]) {
    for (const init of [
      { method: 'POST', body: '{}', headers: { ...JSON_TYPE, Origin: origin } },
      { method: 'GET', headers: { Origin: origin } },
    ]) {
      const reply = await ask(init);
      expect([origin, cors(reply), reply.headers.get('vary')]).toEqual([origin, {}, 'Origin']);
    }
    const reply = await preflight(origin);
    expect([origin, reply.status, cors(reply)]).toEqual([origin, 204, {}]);
  }
});

test('a caller that is no page is served, and told of no origin', async () => {
  const reply = await ask({ method: 'POST', body: JSON.stringify(clientCall()), headers: JSON_TYPE });
  expect([reply.status, cors(reply), reply.headers.get('vary')]).toEqual([200, {}, 'Origin']);
});

proves(
  ['D7-configured-origins', 'D7-credentials'],
  'a preflight from a page of a known origin is granted its wish',
  async () => {
    const granted = { ...readable, 'access-control-allow-methods': 'POST', 'access-control-max-age': '600' };
    for (const asked of ['content-type', 'content-type, x-request-id', 'Content-Type,X-Requested-With']) {
      const reply = await preflight(ORIGIN, asked);
      expect([reply.status, await reply.text()]).toEqual([204, '']);
      expect(cors(reply)).toEqual({ ...granted, 'access-control-allow-headers': asked });
      expect([reply.headers.get('vary'), reply.headers.get('allow')]).toEqual(['Origin', 'POST, OPTIONS']);
    }
  },
);

test('a preflight that lists no names, or too many, is granted content-type alone', async () => {
  const tooMany = new Array(40).fill('x').join(',');
  for (const asked of ['*', 'a b', 'x;y', ',', tooMany, '']) {
    const reply = await preflight(ORIGIN, asked);
    expect([asked, reply.headers.get('access-control-allow-headers')]).toEqual([asked, 'content-type']);
  }
});

import type { Express } from 'express';
import { expect, onTestFinished, test, vi } from 'vitest';
import { proves } from '#testing/proves.ts';
import { recordedLog } from '../process/testing-log.ts';
import { createPages, lazyExpress } from './pages.ts';
import { openConnection, requestText, serve } from './testing.ts';

const INTERNAL_ERROR = { error: { status: 500, reason: 'internal_error' } };
const notFound = { message: 'There is nothing here.', endpoint: '/1.0-alpha/' };

async function servePages(parts: { ready?: () => void | Promise<void>; add?: (app: Express) => void } = {}) {
  const { log, lines } = recordedLog('info');
  const pages = createPages({ ready: () => undefined, log, notFound, ...parts });
  return { ...(await serve(pages)), lines };
}

test('health is told whatever the state, readiness only when the party can work', async () => {
  const states: (() => void | Promise<void>)[] = [
    () => undefined,
    () => Promise.resolve(),
    () => {
      throw new Error('database is locked at /srv/ehr.sqlite');
    },
    () => Promise.reject(new Error('database is locked at /srv/ehr.sqlite')),
  ];
  for (const [index, ready] of states.entries()) {
    const { url, lines } = await servePages({ ready });
    const health = await fetch(`${url}/healthz`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
    const readiness = await fetch(`${url}/readyz`);
    const expected = index < 2 ? [200, { status: 'ready' }] : [503, { status: 'not ready' }];
    expect([readiness.status, await readiness.json()]).toEqual(expected);
    expect(lines).toMatchObject(
      index < 2 ? [] : [{ err: { message: 'database is locked at /srv/ehr.sqlite' } }],
    );
  }
});

proves(['D2-wrong-path-404', 'D2-faults-have-json'], 'an empty address is 404 in JSON', async () => {
  const { url, lines } = await servePages();
  const asked = [
    'GET /',
    'POST /2.0/',
    'GET /healthz/x',
    'DELETE /healthz',
    'PUT /a?b=c',
    'OPTIONS /nothing',
  ];
  for (const [method = '', path = ''] of asked.map((line) => line.split(' '))) {
    const reply = await fetch(url + path, { method });
    expect([path, reply.status]).toEqual([path, 404]);
    expect((await reply.json()).error).toStrictEqual({
      reason: 'not_found',
      message: 'There is nothing here.',
      endpoint: '/1.0-alpha/',
      status: 404,
    });
  }
  expect(lines).toEqual([]);
});

test('no page says what it is made with', async () => {
  const { url } = await servePages();
  for (const path of ['/healthz', '/nothing']) {
    const { headers } = await fetch(url + path);
    for (const name of ['x-powered-by', 'etag', 'server']) expect(headers.get(name)).toBeNull();
  }
});

test('an address that cannot be decoded is answered with JSON', async () => {
  const add = (app: Express) =>
    void app.get('/items/:id', (request, response) => void response.json({ id: request.params.id }));
  const { port, url, lines } = await servePages({ add });
  expect(await (await fetch(`${url}/items/%D0%B6`)).json()).toEqual({ id: 'ж' });
  const statuses = { '/%ff': 404, '/items/%ff': 400, '/items/%': 400, '/%00': 404, '//': 404, '*': 404 };
  for (const [path, status] of Object.entries(statuses)) {
    const { socket, until } = await openConnection(port);
    socket.write(requestText(`GET ${path}`));
    expect(await until(/\}\}$/), path).toEqual(
      expect.stringMatching(new RegExp(`^HTTP/1\\.1 ${status} .*application/json.*"status":${status}`, 's')),
    );
  }
  expect(lines).toEqual([]);
});

test('a page that fails is 500 without the cause, which is logged', async () => {
  for (const fail of [
    () => Promise.reject(new Error('SELECT failed')),
    () => Promise.reject(Object.assign(new Error('SELECT failed'), { status: 503 })),
  ]) {
    const { url, lines } = await servePages({ add: (app) => void app.get('/page', fail) });
    const reply = await fetch(`${url}/page`);
    expect([reply.status, await reply.json()]).toEqual([500, INTERNAL_ERROR]);
    expect(lines).toMatchObject([{ msg: 'page failed', err: { message: 'SELECT failed' } }]);
  }
});

test('a page that fails half-way is broken off', async () => {
  const add = (app: Express) =>
    void app.get('/page', async (_request, response) => {
      response.write('half');
      throw new Error('the other half is missing');
    });
  const { url, lines } = await servePages({ add });
  await expect(fetch(`${url}/page`).then((reply) => reply.text())).rejects.toThrow();
  expect(lines).toHaveLength(1);
});

/** Replace the loading of express by `load`. */
function interceptExpress(load: () => void) {
  vi.resetModules();
  vi.doMock('express', async (original) => {
    load();
    return original();
  });
  onTestFinished(() => void vi.doUnmock('express'));
}

test('express is loaded by the first request, and built once', async () => {
  const loaded = vi.fn();
  interceptExpress(loaded);
  const build = vi.fn();
  const { url } = await serve(
    lazyExpress(
      (app, from) => {
        build(from.json);
        app.get('/page', (_request, response) => void response.json('here'));
      },
      (error: unknown) => expect.unreachable(String(error)),
    ),
  );
  expect([loaded.mock.calls.length, build.mock.calls.length]).toEqual([0, 0]);
  const replies = await Promise.all([1, 2, 3].map(() => fetch(`${url}/page`)));
  expect(await Promise.all(replies.map((reply) => reply.json()))).toEqual(['here', 'here', 'here']);
  expect(await (await fetch(`${url}/page`)).json()).toBe('here');
  expect([loaded.mock.calls.length, build.mock.calls]).toEqual([1, [[expect.any(Function)]]]);
});

test('an application that cannot be built answers 500, and is tried again', async () => {
  const report = vi.fn();
  let failures = 1;
  const { url } = await serve(
    lazyExpress((app) => {
      if (failures-- > 0) throw new Error('too many open files');
      app.get('/page', (_request, response) => void response.json('here'));
    }, report),
  );
  const reply = await fetch(`${url}/page`);
  expect([reply.status, await reply.json()]).toEqual([500, INTERNAL_ERROR]);
  expect(report.mock.calls).toEqual([[new Error('too many open files')]]);
  expect((await fetch(`${url}/page`)).status).toBe(200);
  expect(report).toHaveBeenCalledTimes(1);
});

import { expect, onTestFinished, test, vi } from 'vitest';
import { lazyExpress } from './lazy-express.ts';
import { serve } from './testing.ts';

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
  expect([reply.status, await reply.json()]).toEqual([
    500,
    { error: { status: 500, reason: 'internal_error' } },
  ]);
  expect(report.mock.calls).toEqual([[new Error('too many open files')]]);
  expect((await fetch(`${url}/page`)).status).toBe(200);
  expect(report).toHaveBeenCalledTimes(1);
});

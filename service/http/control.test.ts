import { expect, onTestFinished, test, vi } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { anna } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { ScriptedClient } from '#testing/scripted-client.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';
import { useControlledWorld } from '#testing/worlds/use-world.ts';
import { openControl, withControl } from './control.ts';
import type { AddRoutes } from './pages.ts';
import { openConnection, requestText } from './testing.ts';

const YEAR_MS = 366 * 86_400_000;

async function serveControl(routes?: AddRoutes) {
  const clock = manualClock(1_000);
  const listening = await openControl(clock, 0, '--control-port', routes);
  onTestFinished(() => listening.stop());
  const post = async (body: string, type = 'application/json') => {
    const reply = await fetch(`${listening.url}/clock`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body,
    });
    return [reply.status, await reply.json()];
  };
  return { ...listening, clock, post };
}

test('the clock of the party is read and moved, and its alarms ring', async () => {
  const { url, clock, post } = await serveControl();
  let rung = 0;
  clock.after(600_000, () => rung++);
  expect(await (await fetch(`${url}/clock`)).json()).toEqual({ now: 1_000 });
  expect(await post('{"advance":599999}')).toEqual([200, { now: 600_999 }]);
  expect(rung).toBe(0);
  expect(await post('{"advance":1}')).toEqual([200, { now: 601_000 }]);
  expect(rung).toBe(1);
  expect(await post('{"advance":-601000}')).toEqual([200, { now: 0 }]);
  expect(clock.now()).toBe(0);
});

test('a move of a year either way is taken, and nothing further or other', async () => {
  const { clock, post } = await serveControl();
  expect(await post(`{"advance":${YEAR_MS}}`)).toEqual([200, { now: 1_000 + YEAR_MS }]);
  expect(await post(`{"advance":${-YEAR_MS}}`)).toEqual([200, { now: 1_000 }]);
  const refused = [400, { error: { reason: 'invalid', message: 'Send { "advance": milliseconds }.' } }];
  const wrong = [YEAR_MS + 1, -YEAR_MS - 1, 1.5, '1', null].map((advance) => JSON.stringify({ advance }));
  for (const body of [...wrong, '{}', '[]']) expect([body, await post(body)]).toEqual([body, refused]);
  expect(await post('{"advance":1}', 'text/plain')).toEqual(refused);
  expect(clock.now()).toBe(1_000);
});

test('a body that is not JSON, or too large, is refused with JSON', async () => {
  const { post, clock } = await serveControl();
  const message = 'The body cannot be read. Please send JSON, within the limit of this route.';
  const refused = [400, { error: { status: 400, reason: 'bad_request', message } }];
  for (const body of ['{"advance":', 'advance=1', `{"advance":1,"padding":"${'x'.repeat(1_024)}"}`])
    expect(await post(body)).toEqual(refused);
  expect(clock.now()).toBe(1_000);
});

proves(['T-page-3'], 'a caller from no page that names loopback as Host is served', async () => {
  const { port, clock } = await serveControl();
  const body = '{"advance":5}';
  const rows: [Record<string, string>, number][] = [
    [{ Host: `127.0.0.1:${port}` }, 200],
    [{ Host: 'evil.example.org' }, 403],
    [{ Host: `127.0.0.1:${port}`, Origin: 'https://evil.example.org' }, 403],
    [{ Host: `127.0.0.1:${port}`, Origin: `http://127.0.0.1:${port}` }, 403],
    [{ Host: `127.0.0.1:${port}`, Origin: 'null' }, 403],
  ];
  for (const [headers, status] of rows)
    for (const [line, sent] of [
      ['POST /clock', body],
      ['GET /clock', ''],
      ['GET /nothing', ''],
    ] as const) {
      const { socket, until } = await openConnection(port);
      socket.write(requestText(line, { ...headers, 'Content-Type': 'application/json' }, sent));
      const expected = status === 200 && line.endsWith('nothing') ? 404 : status;
      expect(await until(/\}$/), `${headers} ${line}`).toEqual(
        expect.stringMatching(new RegExp(`^HTTP/1\\.1 ${expected} `)),
      );
    }
  expect(clock.now()).toBe(1_000 + 5);
});

test('the party adds its own routes, and other paths answer JSON', async () => {
  const { url } = await serveControl(
    (app) => void app.get('/own', (_request, response) => void response.json({ own: true })),
  );
  expect(await (await fetch(`${url}/own`)).json()).toEqual({ own: true });
  const reply = await fetch(`${url}/nothing`);
  expect([reply.status, await reply.json()]).toEqual([404, { error: { reason: 'not_found' } }]);
});

test('a failing alarm is told to its caller and on standard error', async () => {
  const { clock, post } = await serveControl();
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  clock.after(10, () => {
    throw new Error('the alarm is broken');
  });
  expect(await post('{"advance":10}')).toEqual([500, { error: { status: 500, reason: 'internal_error' } }]);
  expect(written.mock.calls).toEqual([['The control port failed: Error: the alarm is broken\n']]);
});

test('a control port in use is named with its flag, and its server stops', async () => {
  const { port } = await serveControl();
  const server = { controlRoutes: () => undefined, stop: vi.fn(async () => undefined) };
  const again = withControl(server, 'ehr', manualClock(), port);
  await expect(again).rejects.toThrow('choose another one: npm run ehr -- --control-port ');
  expect(server.stop).toHaveBeenCalledOnce();
});

test('a snapshot of both servers comes back as often as asked', async () => {
  const world = await useControlledWorld({ env: { EHR_DATABASE: ':memory:', AUTH_DATABASE: ':memory:' } });
  const ask = async (method: string, path: string) => {
    const answers = [world.ehrControl, world.authControl].map((control) =>
      fetch(control.url + path, { method }),
    );
    return Promise.all(answers.map(async (answer) => (await answer).json()));
  };
  const post = (path: string) => ask('POST', path);
  const client = await new ScriptedClient(world, '79990000001').connect(anna);
  expect(await post('/snapshots')).toEqual([{ id: 1 }, { id: 1 }]);
  for (let time = 0; time < 2; time++) {
    expect(await post('/clear')).toEqual(Array(2).fill({ cleared: true }));
    expect(reasonOf(await client.getPatient())).toBe('not_authorized');
    expect(reasonOf(await client.exchangeToken())).toBe('not_authorized');
    expect(await post('/snapshots/1/restore')).toEqual(Array(2).fill({ restored: true }));
    resultOf(await client.getPatient());
    resultOf(await client.exchangeToken());
  }
  const notFound = Array(2).fill({ error: { reason: 'not_found' } });
  expect(await post('/snapshots/2/restore')).toMatchObject(notFound);
  expect(await post('/snapshots')).toEqual([{ id: 2 }, { id: 2 }]);
  expect(await ask('DELETE', '/snapshots/2')).toEqual(Array(2).fill({ deleted: true }));
  expect(await post('/snapshots/2/restore')).toMatchObject(notFound);
  expect(await ask('DELETE', '/snapshots/2')).toMatchObject(notFound);
  expect(await post('/snapshots')).toEqual([{ id: 3 }, { id: 3 }]);
});

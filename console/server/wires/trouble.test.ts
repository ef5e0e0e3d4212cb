import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { listening } from '#testing/listening.ts';
import type {
  ArmedFault,
  ClockState,
  MessageDetail,
  Moment,
  Row,
  ScenarioState,
  State,
  TextMessage,
} from '../../api.ts';
import { send, startConsole } from '../testing/start-console.ts';

test('faults meet the next calls, or all until off, and are counted', async () => {
  const { addresses, ask, get, events } = await startConsole();
  const stream = await events();
  const read = () => send(addresses.ehr, { method: 'patient.get_patient' });
  const refuse = { wire: 'client->ehr', fault: 'refuse', reason: 'patient_not_matched' };
  expect((await ask('POST', '/api/faults', refuse)).body).toMatchObject({ id: 1, left: 1, met: 0 });
  expect((await read()).body).toContain('patient_not_matched');
  expect((await read()).body).toContain('not_authorized');
  expect(await get<ArmedFault[]>('/api/faults')).toEqual([]);

  await ask('POST', '/api/faults', {
    wire: 'client->ehr',
    fault: 'down',
    method: 'patient.get_patient',
    times: 'untilOff',
  });
  expect([(await read()).status, (await read()).status]).toEqual([0, 0]);
  expect(await get<ArmedFault[]>('/api/faults')).toMatchObject([{ id: 2, left: 'untilOff', met: 2 }]);
  const row = await stream.until(
    'row',
    (heard) => heard.kind === 'message' && heard.fault === 'down' && heard.outcome !== 'underWay',
  );
  expect(row).toMatchObject({ outcome: 'broken' });
  expect((await ask('DELETE', '/api/faults/2')).body).toEqual([]);
  expect((await read()).status).toBe(200);
});

test('the clock moves around the end of a token; servers can differ', async () => {
  const { ask, events, get, post, world } = await startConsole();
  const stream = await events();
  expect((await ask('POST', '/api/clock', { to: 'beforeTokenEnd' })).status).toBe(409);
  await post('/api/scenario', { do: 'step', id: 'first-link' });
  for (let made = 1; made < 3; made++) await post('/api/scenario', { do: 'step' });
  const { tokenEndsAt, now } = await stream.until('clock', (clock) => clock.tokenEndsAt !== null);
  expect(tokenEndsAt).toBe(now + 600_000);
  const before = await post<ClockState>('/api/clock', { to: 'beforeTokenEnd' });
  expect(before).toMatchObject({ now: now + 599_000, tokenEndsAt });
  expect(world.clock.now()).toBe(now + 599_000);
  await post('/api/clock', { to: 'afterTokenEnd' });
  const played = await post<ScenarioState>('/api/scenario', { do: 'step' });
  expect(played).toMatchObject({
    phase: 'failed',
    step: 3,
    trouble: expect.stringContaining('exchange_token_expired'),
  });
  const apart = await post<ClockState>('/api/clock', { party: 'ehr', skewMs: 5_000 });
  expect(apart.skewMs).toEqual({ client: 0, auth: 0, ehr: 5_000 });
  expect(world.clock.now() - world.authClock.now()).toBe(5_000);
  // Moved from elsewhere, as by npm run clock.
  for (const clock of [world.clock, world.authClock]) clock.advance(60_000);
  const followed = await stream.until('clock', (clock) => clock.now === apart.now + 60_000);
  expect(followed.skewMs).toEqual(apart.skewMs);
  expect((await get<State>('/api/state')).tables).toHaveLength(5);

  const back = await post<ClockState>('/api/clock', { to: 'now' });
  expect(back).toMatchObject({ now, offsetMs: 0, skewMs: apart.skewMs });
  expect([world.clock.now(), world.authClock.now()]).toEqual([now + 5_000, now]);
});

test('a text message is late, lost or doubled as often as asked', async () => {
  const { addresses, events, get, post } = await startConsole();
  const stream = await events();
  const request = (number: number) =>
    send(addresses.auth, { method: 'auth.request_otp', params: { phone: `7999000111${number}` } });
  await post('/api/text-trouble', { kind: 'lost', times: 1 });
  await request(1);
  await stream.until('textTrouble', ({ kind }) => kind === 'none');
  await post('/api/text-trouble', { kind: 'doubled', times: 1 });
  await request(2);
  await stream.until('text', ({ id }) => id === 2);
  await request(3);
  await stream.until('text', ({ id }) => id === 3);
  const texts = await get<TextMessage[]>('/api/phone');
  expect(texts.map(({ to }) => to)).toEqual(['79990001113', '79990001112', '79990001112']);
});

test('a reset empties both servers and the lanes', async () => {
  const { events, get, post } = await startConsole();
  const stream = await events();
  await post('/api/scenario', { do: 'play', id: 'first-link' });
  await stream.until('scenario', ({ phase }) => phase === 'done');
  const { tables } = await post<State>('/api/reset');
  expect(tables.map(({ total }) => total)).toEqual([0, 0, 0, 0, 0]);
  expect(await get<Row[]>('/api/messages')).toEqual([]);
  expect(await stream.until('reset')).toEqual({ isEmptied: true });
});

test('the client stands in a frame below the own address of the console', async () => {
  const client = createServer((request, response) => {
    response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(`<script src="/assets/a.js"></script>${request.url}`);
  });
  const { addresses, url } = await startConsole(`http://127.0.0.1:${await listening(client)}`);
  expect(addresses.clientFrame).toBe('/client/');
  const start = await fetch(`${url}/client`);
  expect([start.status, start.url]).toEqual([200, `${url}/client/`]);
  const frame = await fetch(`${url}/client/page?x=1`);
  expect(frame.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'self'");
  expect(await frame.text()).toBe(
    '<script src="/client/clock.js"></script><script src="/client/assets/a.js"></script>/page',
  );
});

test('the client has the time of the demo, with a skew of its own', async () => {
  const { url, post, get, world } = await startConsole();
  const scriptOf = async () => (await fetch(`${url}/client/clock.js`)).text();
  expect(await scriptOf()).toContain('demoClockAheadMs = 0;');
  await post('/api/clock', { advanceMs: 60_000 });
  const apart = await post<ClockState>('/api/clock', { party: 'client', skewMs: -5_000 });
  expect(apart.skewMs).toEqual({ client: -5_000, auth: 0, ehr: 0 });
  expect(world.clock.now()).toBe(world.authClock.now());
  expect(await scriptOf()).toContain('demoClockAheadMs = 55000;');
  expect((await get<Moment>('/api/moment')).skewMs.client).toBe(-5_000);
});

test('a call is told when it leaves, and its end takes the same row', async () => {
  const { addresses, ask, events, get, post } = await startConsole();
  const stream = await events();
  const { id } = await post<{ id: number }>('/api/faults', { wire: 'client->auth', fault: 'hang', times: 1 });
  const params = { phone: '79990000001' };
  const hanging = send(addresses.auth, { method: 'auth.request_otp', params });
  const row = await stream.until('row', ({ kind }) => kind === 'message');
  expect(row).toMatchObject({ outcome: 'underWay', answer: '', fault: 'hang', person: 'anna' });
  const later = send(addresses.ehr, { method: 'patient.get_patient' });
  await stream.until('row', (heard) => heard.kind === 'message' && heard.outcome === 'refused');
  expect(await get<Row[]>('/api/messages')).toMatchObject([row, { outcome: 'refused' }]);
  const detail = await get<MessageDetail>(`/api/messages/${row.id}`);
  expect(detail).toMatchObject({ ...row, request: { method: 'POST' } });
  expect(JSON.stringify([row, detail])).not.toContain('79990000001');
  expect(detail.reply).toBeUndefined();

  await ask('DELETE', `/api/faults/${id}`);
  await Promise.all([hanging, later]);
  const ended = await stream.until('row', (heard) => heard.kind === 'message' && heard.outcome === 'broken');
  expect(ended.id).toBe(row.id);
  expect(await get<Row[]>('/api/messages')).toMatchObject([ended, { outcome: 'refused' }]);
});

test('patient data raise the alarm when the request leaves, and once', async () => {
  const { addresses, events } = await startConsole();
  const stream = await events();
  const params = { phone: '79990000001', of: 'Petrova' };
  await send(addresses.auth, { method: 'auth.request_otp', params });
  await stream.until('row', (heard) => heard.kind === 'message' && heard.outcome !== 'underWay');
  const { message, found } = await stream.until('alarm');
  expect(found).toEqual(['the surname in the request body, plain']);
  expect(await stream.until('row', ({ id }) => id === message)).toMatchObject({ patientData: found });
  const told = stream.heard.filter(({ name }) => name === 'row' || name === 'alarm');
  expect(told.map(({ name }) => name)).toEqual(['row', 'alarm', 'row']);
});

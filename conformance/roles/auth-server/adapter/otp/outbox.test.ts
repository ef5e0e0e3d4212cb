import { expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '#protocol/time/clock.ts';
import { type OutboxSettings, outboxSchema } from '../file/schema/schema.ts';
import { closedUrl, send, startFakeServer } from '../testing/fake-server.ts';
import { outboxSource } from './outbox.ts';

const asked = { path: '/outbox?to=${phone}' };

function source(baseUrl: string, settings: Record<string, unknown>, clock = systemClock) {
  const parsed: OutboxSettings = outboxSchema(() => undefined).parse({ request: asked, ...settings });
  const opened = outboxSource(parsed, { clock, baseUrl });
  onTestFinished(() => opened.close());
  return opened;
}

test('the newest code is read from the list of messages', async () => {
  const server = await startFakeServer({ body: [{ code: '222222' }, { code: '111111' }] });
  const outbox = source(`${server.url}/`, { code: '/code' });
  expect(await outbox.codeFor('7999', 0, 0)).toBe('222222');
  expect(await outbox.codeFor('7999', 2, 0)).toBeUndefined();
  expect(await outbox.messagesTo('7999')).toBe(2);
  expect(server.received[0]).toMatchObject({ method: 'GET', path: '/outbox?to=7999' });
});

test('the list may stand deeper, be oldest first, and hold messages to others', async () => {
  const messages = [
    { recipient: { phone: '+7 999' }, body: 'Code 1111' },
    { recipient: { phone: '+7 998' }, body: 'Code 2222' },
    { recipient: { phone: '+7 999' }, body: 'Code 3333' },
    { body: 'to nobody 4444' },
  ];
  const server = await startFakeServer({ body: { data: { messages } } });
  const outbox = source(server.url, {
    list: '/data/messages',
    order: 'oldest-first',
    to: '/recipient/phone',
    text: '/body',
  });
  expect(await outbox.messagesTo('7999')).toBe(2);
  expect(await outbox.codeFor('7999', 0, 0)).toBe('3333');
  expect(await outbox.codeFor('7998', 0, 0)).toBe('2222');
});

test('a list with messages to another spelling of the phone says so', async () => {
  const server = await startFakeServer({ body: [{ to: '+1 212 555 01 00', code: '1111' }] });
  const outbox = source(server.url, { to: '/to', code: '/code' });
  expect(await outbox.messagesTo('2125550100')).toBe(0);
  expect(outbox.trouble()).toContain('A message came to the phone with 1 before it.');
  await outbox.messagesTo('2125550199');
  expect(outbox.trouble()).toBe('The outbox lists no message to this phone.');
});

/** A clock on which short waits end at once and long ones never. */
function hurriedClock(): Clock {
  let time = 0;
  return {
    now: () => time,
    after(ms, wake) {
      if (ms > 1_000) return () => undefined;
      const handle = setImmediate(() => {
        time += ms;
        wake();
      });
      return () => clearImmediate(handle);
    },
  };
}

test('a code that comes later is waited for, for the stated time', async () => {
  const server = await startFakeServer((_request, response) => {
    send(response, { body: server.received.length < 4 ? [] : [{ code: 5566 }] });
  });
  const outbox = source(server.url, { code: '/code' }, hurriedClock());
  expect(await outbox.codeFor('7999', 0, 10_000)).toBe('5566');
  expect(server.received).toHaveLength(4);
  server.answer({ body: [] });
  expect(await outbox.codeFor('7999', 0, 1_000)).toBeUndefined();
  expect(server.received).toHaveLength(4 + 6);
  expect(outbox.trouble()).toBe('The outbox lists no message to this phone.');
});

test('who waits when the run ends goes away with nothing', async () => {
  const outbox = source((await startFakeServer({ body: [] })).url, { code: '/code' });
  const waiting = outbox.codeFor('7999', 0, 60_000);
  await outbox.close();
  expect(await waiting).toBeUndefined();
});

test('an outbox that cannot be read is no answer, and its trouble is told', async () => {
  const server = await startFakeServer();
  const outbox = source(server.url, { list: '/messages', code: '/code' });
  const troubles: [Parameters<typeof server.answer>[0], string][] = [
    [{ status: 404 }, 'it answered HTTP 404'],
    [{ status: 500 }, 'it answered HTTP 500'],
    [{ body: '<html>' }, 'its answer is not JSON: it is HTML'],
    [{ body: { messages: {} } }, 'its answer has no list at /messages'],
    [{ status: 302, headers: { location: '/login' } }, 'HTTP 302: a redirect, which is not followed'],
  ];
  for (const [answer, why] of troubles) {
    server.answer(answer);
    expect(await outbox.codeFor('7999', 0, 0)).toBeUndefined();
    expect(await outbox.messagesTo('7999')).toBe(0);
    expect(outbox.trouble()).toBe(`The outbox could not be read: ${why}.`);
  }
  server.answer({ body: { messages: [{ code: '1234' }] } });
  expect(await outbox.codeFor('7999', 0, 0)).toBe('1234');
  expect(outbox.trouble()).toBeUndefined();
  const nowhere = source(await closedUrl(), { code: '/code' });
  await nowhere.messagesTo('7999');
  expect(nowhere.trouble()).toBe('The outbox could not be read: nothing listens there (ECONNREFUSED).');
});

test.each([
  [{ code: '/code' }, ', and none has a code at /code.'],
  [{ text: '/text' }, ', and at /text no number of four to eight digits in it can be the code. '],
  [{ text: '/text', pattern: 'code (\\d+)' }, ', and at /text the pattern code (\\d+) finds no code in it.'],
])('messages without a code by %j are told from no messages', async (settings, why) => {
  const server = await startFakeServer({ body: [{ text: 'Welcome!' }, 'strange', null, { code: {} }] });
  const outbox = source(server.url, settings);
  expect(await outbox.messagesTo('7999')).toBe(4);
  expect(outbox.trouble()).toContain(`The outbox lists messages${why}`);
});

test('the outbox may be asked with headers, by POST, and at another address', async () => {
  const server = await startFakeServer({ body: [] });
  const request = {
    method: 'POST',
    url: `${server.url}/admin/messages?phone=\${phone}`,
    headers: { 'x-key': 'key' },
  };
  await source('http://127.0.0.1:9', { request, code: '/code' }).messagesTo('+7999');
  expect(server.received[0]).toMatchObject({
    method: 'POST',
    path: '/admin/messages?phone=%2B7999',
    headers: { 'x-key': 'key' },
  });
});

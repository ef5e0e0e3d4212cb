import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { startFakeServer } from '../testing/fake-server.ts';
import { openSink } from './sink.ts';

const TWILIO = '/2010-04-01/Accounts/AC123/Messages.json';
const JSON_TYPE = 'application/json';
const FORM = 'application/x-www-form-urlencoded';
const PHONE = '79990000001';
const SETTINGS = { port: 0, host: '127.0.0.1', shape: 'json' as const, pattern: undefined };

async function sink(shape: 'json' | 'twilio', pattern?: string) {
  const clock = manualClock();
  const source = await openSink({ ...SETTINGS, shape, pattern }, clock);
  onTestFinished(() => source.close());
  const url = source.smsUrl as string;
  const post = async (path: string, body: string, type = JSON_TYPE) => {
    const response = await fetch(url + path, { method: 'POST', headers: { 'content-type': type }, body });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return {
    source,
    clock,
    url,
    post,
    sms: (to: unknown, text: unknown) => post('/sms', JSON.stringify({ to, text })),
    twilio: (form: Record<string, string>) => post(TWILIO, new URLSearchParams(form).toString(), FORM),
  };
}

test('a code sent as JSON is learned by the phone it went to', async () => {
  const { source, sms } = await sink('json');
  expect(source.trouble()).toBe('No message has come to the SMS sink.');
  expect(await sms('+7 (999) 000-00-01', 'Your code is 402913.')).toEqual({ status: 202, body: { id: '1' } });
  expect(await source.codeFor(PHONE, 0, 0)).toBe('402913');
  expect(await source.codeFor('89990000001', 0, 0)).toBe('402913');
  expect(await source.codeFor('79990000002', 0, 0)).toBeUndefined();
  await sms(Number(PHONE), '1234');
  expect(await source.codeFor(PHONE, 0, 0)).toBe('1234');
  expect(await source.messagesTo(PHONE)).toBe(2);
  expect(source.trouble()).toBeUndefined();
});

test('a message to another spelling of the phone is told', async () => {
  const { source, sms, clock } = await sink('json');
  const askFor = async (phone: string) => {
    const waiting = source.codeFor(phone, 0, 10);
    clock.advance(10);
    await waiting;
    return source.trouble();
  };
  await sms('+12125550100', 'code 1111');
  expect(await askFor('2125550100')).toBe(
    'A message came to the phone with 1 before it. Write otp.prefix: "1", or people.phones as your server spells them.',
  );
  expect(await askFor('812125550100')).toContain('without the 8 before it');
  for (const phone of ['12125550100', '2125550101', '100']) expect(await askFor(phone)).toBeUndefined();
});

test('only the newest message with a code after the given one counts', async () => {
  const { source, sms } = await sink('json');
  for (const text of ['code 1111', 'code 2222', 'code 3333', 'Welcome!']) await sms('7999', text);
  expect(await source.codeFor('7999', 1, 0)).toBe('3333');
  expect(await source.codeFor('7999', 3, 0)).toBeUndefined();
  expect(await source.messagesTo('7999')).toBe(4);
});

test('a copy of a message to another phone hides no code', async () => {
  const { source, sms } = await sink('json');
  for (const to of ['7998', '7999']) await sms(to, 'code 1111');
  for (const to of ['7998', '7999', '7997']) await sms(to, 'code 2222');
  expect(await source.codeFor('7999', 0, 0)).toBe('1111');
  expect(await source.codeFor('7998', 0, 0)).toBe('2222');
});

test('a waiting caller gets the code at once, or nothing in time', async () => {
  const { source, sms, clock } = await sink('json');
  const waiting = source.codeFor('7999', 0, 10_000);
  await sms('7998', 'code 1111');
  await sms('7999', 'code 2222');
  expect(await waiting).toBe('2222');
  const inVain = source.codeFor('7999', 1, 10_000);
  clock.advance(10_000);
  expect(await inVain).toBeUndefined();
  const atTheEnd = source.codeFor('7999', 1, 10_000);
  await source.close();
  expect(await atTheEnd).toBeUndefined();
});

test("a message is taken as the gateway's own API takes it", async () => {
  const { source, twilio } = await sink('twilio');
  const answer = await twilio({ To: `+${PHONE}`, From: '+15005550006', Body: 'Your code: 55667788' });
  expect(answer).toMatchObject({
    status: 201,
    body: {
      sid: expect.stringMatching(/^SM[0-9a-f]{32}$/),
      account_sid: 'AC123',
      to: `+${PHONE}`,
      from: '+15005550006',
      body: 'Your code: 55667788',
      status: 'queued',
      direction: 'outbound-api',
      error_code: null,
      date_created: 'Thu, 15 Jan 2026 09:00:00 +0000',
      uri: `/2010-04-01/Accounts/AC123/Messages/${answer.body.sid}.json`,
    },
  });
  expect(await source.codeFor(PHONE, 0, 0)).toBe('55667788');
  const service = await twilio({ To: `+${PHONE}`, MessagingServiceSid: 'MG1', Body: '1234' });
  expect(service).toMatchObject({ status: 201, body: { from: null } });
  expect(service.body.sid).not.toBe(answer.body.sid);
});

test('a message that lacks something is refused in the words of the gateway', async () => {
  const { source, twilio, post } = await sink('twilio');
  for (const [form, code, message] of [
    [{ From: '+1', Body: 'x' }, 21604, "A 'To' phone number is required."],
    [{ To: '+7999', Body: 'x' }, 21603, "A 'From' phone number is required."],
    [{ To: '+7999', From: '+1' }, 21602, 'Message body is required.'],
  ] as const) {
    const body = { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status: 400 };
    expect(await twilio(form as Record<string, string>)).toEqual({ status: 400, body });
  }
  expect(await post(TWILIO, '{"To":"+7999"}')).toMatchObject({ status: 400 });
  expect(source.trouble()).toBe(
    'A request came to the SMS sink that it could not take: the content type is not application/x-www-form-urlencoded. It expects POST /2010-04-01/Accounts/{AccountSid}/Messages.json with the form fields To, Body and From (or MessagingServiceSid).',
  );
  expect(await source.messagesTo('7999')).toBe(0);
});

test('a message to another path is answered with advice, and is trouble', async () => {
  const { source, post, url } = await sink('json');
  const advice = 'POST /sms with the JSON body {"to": "<phone>", "text": "<message>"}.';
  const error = { reason: 'not_found', message: `Send ${advice}` };
  expect(await post('/send', '{}')).toEqual({ status: 404, body: { error } });
  expect(source.trouble()).toBe(
    `A request came to the SMS sink that it could not take: it was POST /send. It expects ${advice}`,
  );
  expect((await fetch(`${url}/sms`)).status).toBe(404);
  expect((await post(TWILIO, 'To=1', FORM)).status).toBe(404);
});

test('a body that is no message is refused', async () => {
  const { source, post, sms } = await sink('json');
  for (const body of [
    '',
    'null',
    '[]',
    '{"to":"7999"}',
    '{"to":"","text":"x"}',
    '{"to":{},"text":"x"}',
    'to=7999',
  ])
    expect(await post('/sms', body), body).toMatchObject({
      status: 400,
      body: { error: { reason: 'invalid' } },
    });
  expect(await sms('7999', 'x'.repeat(70_000))).toMatchObject({ status: 413 });
  expect(await source.messagesTo('7999')).toBe(0);
});

test('a code is found by the file’s pattern, and its absence is told', async () => {
  const { source, sms } = await sink('json', 'PIN ([A-Z]{3}-\\d{2})');
  await sms('7999', '12345 is not it, PIN ABC-42 is');
  expect(await source.codeFor('7999', 0, 0)).toBe('ABC-42');
  await sms('7999', '654321');
  expect(await source.codeFor('7999', 1, 0)).toBeUndefined();
  expect(source.trouble()).toBe(
    'A message came to the SMS sink, and the pattern PIN ([A-Z]{3}-\\d{2}) finds no code in it.',
  );
});

test('several possible codes are told without their digits, and none is taken', async () => {
  const { source, sms } = await sink('json');
  await sms('7999', 'Order 12345: enter 481 920');
  expect(await source.codeFor('7999', 0, 0)).toBeUndefined();
  expect(source.trouble()).toBe(
    'A message came to the SMS sink, and several candidates in it could be the code: #####, ### ###. Write otp.sink.pattern, a regular expression whose group is the code, such as "code is (\\\\d{6})".',
  );
  expect(source.otherNumbers?.()).toEqual(['#####', '### ###']);
  await sms('7999', 'Your code is 481920');
  expect([source.trouble(), source.otherNumbers?.()]).toEqual([undefined, []]);
});

test('a port that is taken is told with the remedy', async () => {
  const port = Number(new URL((await startFakeServer()).url).port);
  await expect(openSink({ ...SETTINGS, port }, manualClock())).rejects.toThrow(
    `Failed to listen on 127.0.0.1:${port}: another program uses this port.`,
  );
});

/** Sends what a page of another site, or a DNS name rebound to this machine, would send. */
function strange(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { 'content-type': JSON_TYPE, ...headers } };
    request(`${url}/sms`, options, (reply) => resolve(reply.resume().statusCode))
      .on('error', reject)
      .end(JSON.stringify({ to: PHONE, text: 'code 402913' }));
  });
}

test.each([
  ['Host', { host: 'evil.example' }, 'its Host is not this machine'],
  ['Origin', { origin: 'https://evil.example' }, 'its Origin is foreign'],
])('a message with a foreign %s is refused and told, and is no code', async (_what, headers, because) => {
  const strays: unknown[] = [];
  const source = await openSink(SETTINGS, manualClock(), (raw) => strays.push(raw.stray));
  onTestFinished(() => source.close());
  expect(await strange(source.smsUrl as string, headers)).toBe(421);
  expect(await source.messagesTo(PHONE)).toBe(0);
  expect(strays).toEqual([because]);
  expect(await strange(source.smsUrl as string, {})).toBe(202);
  expect(await source.codeFor(PHONE, 0, 0)).toBe('402913');
});

test.each([
  ['refuses', 500],
  ['error in a 200', 200],
] as const)('a gateway that fails with "%s" sends no code', async (how, status) => {
  const { source, sms } = await sink('json');
  const failing = source.failFor?.(PHONE, how);
  expect(await sms(PHONE, 'Your code is 012345.')).toEqual({
    status,
    body: { error: { reason: 'not_sent' } },
  });
  expect(failing).toMatchObject({ codes: ['012345'] });
  expect(await source.messagesTo(PHONE)).toBe(0);
  failing?.end();
  await sms(PHONE, 'Your code is 012345.');
  expect(await source.codeFor(PHONE, 0, 0)).toBe('012345');
});

test('a silent gateway answers others, and breaks the connection at the end', async () => {
  const { source, sms } = await sink('json');
  const failing = source.failFor?.(PHONE, 'silence');
  const silent = sms(PHONE, 'Your code is 012345.').catch(() => 'broken');
  expect((await sms('79995550002', 'Your code is 012345.')).status).toBe(202);
  await expect.poll(() => failing?.codes.length).toBe(1);
  failing?.end();
  expect(await silent).toBe('broken');
});

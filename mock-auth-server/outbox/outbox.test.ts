import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { manualClock } from '#protocol/time/clock.ts';
import { proves } from '#testing/proves.ts';
import { memoryStore } from '../store/memory.ts';
import { ANNA, ANNA_MAIL } from '../testing/config.ts';
import { type AuthWorld, startWorld } from '../testing/start.ts';
import { createOutbox, MAX_WAITING_CALLERS, type Message, readOutboxQuery } from './outbox.ts';

const SECOND_MS = 1_000;
const anna = { kind: 'phone', value: ANNA } as const;
const NEVER = new AbortController().signal;

async function read(
  world: AuthWorld,
  query: string,
): Promise<{ messages: Message[]; cursor: string | null }> {
  const response = await fetch(`${world.server.url}/outbox${query}`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return { messages: (await response.json()) as Message[], cursor: response.headers.get('outbox-cursor') };
}

proves(['DA-outbox'], 'the outbox lists the messages to a phone, newest first', async () => {
  const world = await startWorld();
  const first = await world.code(ANNA);
  await world.code('79990000002');
  world.clock.advance(30 * SECOND_MS);
  const second = await world.code(ANNA);
  const { messages } = await read(world, `?to=${encodeURIComponent('+7 (999) 000-00-01')}`);
  expect(messages).toEqual([
    {
      to: ANNA,
      text: `Your code is ${second}. It is valid for 5 minutes. Never tell it to anyone.`,
      code: second,
      at: '2026-01-15T09:00:30.000Z',
    },
    {
      to: ANNA,
      text: `Your code is ${first}. It is valid for 5 minutes. Never tell it to anyone.`,
      code: first,
      at: '2026-01-15T09:00:00.000Z',
    },
  ]);
});

test('a plus sign, an address in any case, and no recipient find messages', async () => {
  const world = await startWorld();
  await world.code(ANNA);
  await world.code(ANNA_MAIL);
  expect((await read(world, `?to=+${ANNA}`)).messages).toHaveLength(1);
  expect((await read(world, `?to=${ANNA_MAIL.toUpperCase()}`)).messages).toMatchObject([{ to: ANNA_MAIL }]);
  expect((await read(world, '')).messages.map(({ to }) => to)).toEqual([ANNA_MAIL, ANNA]);
});

proves(['DA-outbox-wait'], 'an outbox with messages, or without wait, answers at once', async () => {
  const world = await startWorld();
  expect((await read(world, `?to=${ANNA}`)).messages).toEqual([]);
  expect((await read(world, `?to=${ANNA}&wait=0`)).messages).toEqual([]);
  await world.code(ANNA);
  expect((await read(world, `?to=${ANNA}&wait=60`)).messages).toHaveLength(1);
});

test('a cursor selects the messages after it', async () => {
  const world = await startWorld();
  await world.code(ANNA);
  const { cursor } = await read(world, '');
  expect((await read(world, `?after=${cursor}`)).messages).toEqual([]);
  expect((await read(world, `?after=${cursor}`)).cursor).toBe(cursor);
  await world.code('79990000002');
  const after = await read(world, `?after=${cursor}`);
  expect(after.messages).toMatchObject([{ to: '79990000002' }]);
  expect(Number(after.cursor)).toBeGreaterThan(Number(cursor));
});

for (const [query, sentence] of [
  ['?to=Anna', 'to must be a phone number or an e-mail address.'],
  ['?to=', 'to must be a phone number or an e-mail address.'],
  [`?to=${ANNA}&to=79990000002`, 'to must be given once.'],
  ['?wait=-1', 'wait must be a number of seconds; the longest wait is 60.'],
  ['?wait=soon', 'wait must be a number of seconds; the longest wait is 60.'],
  ['?wait=9999999999', 'wait must be a number of seconds; the longest wait is 60.'],
  ['?wait=1&wait=2', 'wait must be given once.'],
  ['?after=-1', 'after must be a cursor, as the header Outbox-Cursor gave it.'],
] as const)
  test(`the outbox refuses ${query}`, async () => {
    const { server } = await startWorld();
    const response = await fetch(`${server.url}/outbox${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      error: { status: 400, reason: 'bad_request', message: sentence },
    });
  });

test('a caller waits at most a minute', () => {
  expect(readOutboxQuery(new URLSearchParams('wait=999'))).toEqual({ to: undefined, after: 0, wait: 60 });
  expect(readOutboxQuery(new URLSearchParams('wait=0.25'))).toMatchObject({ wait: 0.25 });
});

function openOutbox() {
  const store = memoryStore();
  const clock = manualClock();
  const outbox = createOutbox(store, clock);
  const send = (to: Parameters<typeof store.messages.add>[0] = anna) => {
    store.messages.add(to, 'text', '123456', clock.now());
    outbox.announce();
  };
  return { clock, outbox, send, store };
}

/** Whether a promise has settled. */
async function settled(promise: Promise<unknown> | undefined): Promise<boolean> {
  const pending = Symbol('pending');
  await new Promise(setImmediate);
  return (await Promise.race([promise, Promise.resolve(pending)])) !== pending;
}

proves(['DA-outbox-wait'], 'a waiting caller is answered as soon as its message comes', async () => {
  const { outbox, send } = openOutbox();
  const waiting = outbox.wait({ to: anna }, 30 * SECOND_MS, NEVER);
  send({ kind: 'phone', value: '79990000002' });
  expect(await settled(waiting)).toBe(false);
  send();
  expect((await waiting)?.messages).toMatchObject([{ to: ANNA, code: '123456' }]);
});

test('over HTTP too, a waiting caller is answered as soon as a message comes', async () => {
  const world = await startWorld();
  const waiting = read(world, `?to=${ANNA}&wait=60`);
  await world.code('79990000002');
  const code = await world.code(ANNA);
  expect((await waiting).messages).toMatchObject([{ code }]);
});

test('a caller gets an empty list when its time is over', async () => {
  const { clock, outbox } = openOutbox();
  const waiting = outbox.wait({ to: anna }, 30 * SECOND_MS, NEVER);
  clock.advance(30 * SECOND_MS - 1);
  expect(await settled(waiting)).toBe(false);
  clock.advance(1);
  expect((await waiting)?.messages).toEqual([]);
});

test('a caller over HTTP that hangs up leaves room for others', async () => {
  const world = await startWorld();
  const open = (wait: number) => {
    const gone = new AbortController();
    return { gone, reply: fetch(`${world.server.url}/outbox?wait=${wait}`, { signal: gone.signal }) };
  };
  const callers = Array.from({ length: MAX_WAITING_CALLERS + 1 }, () => open(60));
  const refused = await Promise.race(callers.map(({ reply }) => reply));
  expect([refused.status, await refused.json()]).toMatchObject([429, { error: { reason: 'too_many' } }]);
  for (const { gone } of callers) gone.abort();
  expect(
    (await Promise.allSettled(callers.map(({ reply }) => reply))).filter(
      ({ status }) => status === 'rejected',
    ),
  ).toHaveLength(MAX_WAITING_CALLERS);

  const start = world.clock.now();
  while ((await statusOf(open(1).reply, world)) === 429);
  // Long before the callers that left would have been answered.
  expect(world.clock.now() - start).toBeLessThan(60 * SECOND_MS);
});

/** The status of a reply that comes at the latest when time passes. */
async function statusOf(reply: Promise<Response>, { clock, server }: AuthWorld): Promise<number> {
  let status: number | undefined;
  const came = reply.then((response) => (status = response.status));
  while (status === undefined) {
    await fetch(`${server.url}/healthz`);
    if (status === undefined) clock.advance(SECOND_MS);
  }
  return came;
}

test('so many may wait and no more, and a stop answers them all', async () => {
  const { outbox } = openOutbox();
  const waiting = Array.from({ length: MAX_WAITING_CALLERS }, () =>
    outbox.wait({}, SECOND_MS, new AbortController().signal),
  );
  expect(outbox.wait({}, SECOND_MS, NEVER)).toBeUndefined();
  outbox.close();
  for (const delivery of await Promise.all(waiting)) expect(delivery?.messages).toEqual([]);
  expect((await outbox.wait({}, SECOND_MS, NEVER))?.messages).toEqual([]);
});

test('a caller that was answered, or that disconnects, leaves nothing behind', async () => {
  const clock = manualClock();
  const alarms = new Set<() => void>();
  const outbox = createOutbox(memoryStore(), {
    now: () => clock.now(),
    after(ms, wake) {
      const cancel = clock.after(ms, wake);
      alarms.add(cancel);
      return () => {
        alarms.delete(cancel);
        cancel();
      };
    },
  });
  for (const end of ['answered', 'gone']) {
    const gone = new AbortController();
    const waiting = outbox.wait({}, SECOND_MS, gone.signal);
    const left = () => [getEventListeners(gone.signal, 'abort').length, alarms.size];
    expect(left()).toEqual([1, 1]);
    if (end === 'gone') gone.abort();
    else clock.advance(SECOND_MS);
    expect([await waiting, left()], end).toEqual([{ messages: [], cursor: 0 }, [0, 0]]);
  }
});

test('a text message ends with the known host and the code', async () => {
  const textTo = async (to: string, codeHost?: string) => {
    const world = await startWorld({ config: { codeHost } });
    await world.code(to);
    return world.server.latestMessage(to)?.text.replace(/\d{6}/g, 'CODE');
  };
  const text = 'Your code is CODE. It is valid for 5 minutes. Never tell it to anyone.';
  expect(await textTo(ANNA, 'my.example.org')).toBe(`${text}\n@my.example.org #CODE`);
  for (const none of ['', undefined]) expect(await textTo(ANNA, none)).toBe(text);
  expect(await textTo(ANNA_MAIL, 'my.example.org')).toBe(text);
});

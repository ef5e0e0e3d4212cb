import { expect, test } from 'vitest';
import type { Entry, ExchangeEntry } from '#conformance/engine/journal/entry.ts';
import { runText } from '#conformance/engine/journal/run-file.ts';
import { fakeRun } from '#conformance/engine/report/testing/fake-run.ts';
import { DEFAULT_SESSION_TTL_MINUTES } from '#protocol/limits.ts';
import type { Message, Replay, Row } from '../api.ts';
import { replayOf } from './run-json.ts';
import { startConsole, TOKEN } from './testing/start-console.ts';

/** A run of one save after another. */
function longRun(length: number): string {
  const { run } = fakeRun({ crowd: 1 });
  const isSave = (entry: Entry): entry is ExchangeEntry =>
    entry.kind === 'exchange' && entry.facts.call?.method === 'embedded_storage.save_auth_info';
  const { scenario: _scenario, step: _step, ...save } = run.entries.find(isSave) as ExchangeEntry;
  const text = JSON.stringify(save);
  const entries = Array.from({ length }, (_, at) => {
    const own = text.replaceAll(/‹(session-token|user) \d+›/g, (_name, kind) => `‹${kind} ${at + 1}›`);
    return { ...JSON.parse(own), seq: at + 1 };
  });
  return runText({ meta: run.meta, entries });
}

test('a saved run of the demo has its people and its own times', async () => {
  const { events, get, post } = await startConsole();
  const stream = await events();
  await post('/api/scenario', { do: 'play', id: 'first-link' });
  await stream.until('scenario', ({ phase }) => phase === 'done');
  const live = (await get<Row[]>('/api/messages')).map((row) => (row.kind === 'message' ? row : undefined));
  const replay = await post<Replay>('/api/replay', await get('/api/run.json'));
  const told = replay.rows.flatMap((row) => (row.kind === 'message' ? [row] : []));
  const whenAndWho = (row?: Message) => row && [row.id, row.person, row.beganAt, row.endedAt];
  expect(told.map(whenAndWho)).toEqual(live.filter((row) => row !== undefined).map(whenAndWho));
  expect(new Set(told.map(({ person }) => person))).toEqual(new Set(['anna']));
  const save = told.find(({ method }) => method.endsWith('save_exchange_token')) as Message;
  expect(replay.details[save.id]?.changes).toMatchObject([
    { how: 'added', row: { changedBy: save.id, endsAt: save.endedAt + 600_000 } },
  ]);
  const sessions = Object.values(replay.details).flatMap(({ changes, endedAt }) =>
    changes.flatMap(({ table, party, row }) => (table === 'sessions' ? [[party, row.endsAt, endedAt]] : [])),
  );
  expect(sessions.map(([party, endsAt, endedAt]) => [party, Number(endsAt) - Number(endedAt)])).toEqual([
    ['auth', DEFAULT_SESSION_TTL_MINUTES * 60_000],
    ['ehr', DEFAULT_SESSION_TTL_MINUTES * 60_000],
  ]);
  const removed = Object.values(replay.details).flatMap(({ changes }) =>
    changes.filter(({ how }) => how === 'removed').map(({ table, row }) => [table, row.endsAt]),
  );
  expect(removed).toEqual([['exchangeTokens', undefined]]);
});

test('calls through the proxies are answered while a long run is read', async () => {
  const { post, addresses } = await startConsole();
  let isRead = false;
  const reading = post<Replay>('/api/replay', JSON.parse(longRun(2_000))).finally(() => {
    isRead = true;
  });
  let answered = 0;
  while (!isRead) {
    await fetch(addresses.ehr, {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    });
    answered++;
  }
  expect((await reading).rows).toHaveLength(2_000);
  expect(answered).toBeGreaterThan(20);
});

test('a run of a role that there is not is refused with a sentence', async () => {
  const { run } = fakeRun({ crowd: 1 });
  const content = JSON.parse(runText({ ...run, meta: { ...run.meta, role: 'constructor' } }));
  await expect(replayOf(content, async () => undefined)).rejects.toThrow('There is no role constructor');
});

test('what is no run.json, or lacks a member, is refused with what is wrong', async () => {
  const { ask } = await startConsole();
  for (const [content, words] of [
    [null, 'it is no run.json'],
    [7, 'it is no run.json'],
    [{ format: 'embedded-ehr-run/3' }, 'its member "entries" is missing'],
  ] as const)
    expect(await ask('POST', '/api/replay', content)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining(`Failed to read the file: ${words}`) } },
    });
});

test('a run that is too large is refused unread, with a sentence', async () => {
  const { url } = await startConsole();
  const response = await fetch(`${url}/api/replay`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    body: ' '.repeat(33 * 1024 * 1024),
  });
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({
    error: { reason: 'too_large', message: expect.stringMatching(/^The file has more than 32 MB/) },
  });
});

import { expect, test } from 'vitest';
import type { Entry, ExchangeEntry } from '#conformance/engine/journal/entry.ts';
import { runOf, runText } from '#conformance/engine/journal/run-file.ts';
import { fakeRun } from '#conformance/engine/report/testing/fake-run.ts';
import { judge } from '#conformance/roles/judge.ts';
import { DEFAULT_SESSION_TTL_MINUTES } from '#protocol/limits.ts';
import type { LiveVerdict, Replay, Row, State, StateRow, StateTable } from '../api.ts';
import { send, startConsole, TOKEN } from './testing/start-console.ts';

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

test('a saved run of the demo has its rows, times, states and verdicts', async () => {
  const { events, get, post } = await startConsole();
  const stream = await events();
  await post('/api/scenario', { do: 'play', id: 'first-link' });
  await stream.until('scenario', ({ phase }) => phase === 'done');
  const run = await get<object>('/api/run.json');
  const replay = await post<Replay>('/api/replay', run);
  expect(replay.rows).toEqual(await get<Row[]>('/api/messages'));

  // A saved run is judged as one of the authorization server: the kit reports one party a run.
  const live = (await get<LiveVerdict[]>('/api/verdicts')).filter(({ party }) => party === 'auth');
  expect(replay.verdicts).toEqual(expect.arrayContaining(live));
  expect(replay.judged).toBe('auth');
  const reported = judge(runOf(run, 'the run')).filter(({ outcome }) =>
    /^(?:pass|fail|warning)$/.test(outcome),
  );
  expect(replay.verdicts.map(({ check, outcome }) => [check, outcome])).toEqual(
    reported.map(({ check, outcome }) => [check, outcome]),
  );

  const { tables } = await get<State>('/api/state');
  expect(rowsAfter(replay)).toEqual(tables.flatMap((table) => table.rows.flatMap(rowIn(table))).sort());
  const changes = Object.values(replay.details).flatMap(({ changes: own, endedAt }) =>
    own.map(({ table, party, how, row }) => [how, party, table, row.endsAt && row.endsAt - endedAt]),
  );
  for (const { id, changes: own } of Object.values(replay.details))
    expect(own.map(({ row }) => row.changedBy)).toEqual(own.map(() => id));
  const sessionMs = DEFAULT_SESSION_TTL_MINUTES * 60_000;
  expect(changes).toEqual([
    ['added', 'auth', 'sessions', sessionMs],
    ['added', 'ehr', 'exchangeTokens', 600_000],
    ['removed', 'ehr', 'exchangeTokens', undefined],
    ['added', 'ehr', 'sessions', sessionMs],
    ['added', 'ehr', 'links', undefined],
    ['added', 'auth', 'correspondence', undefined],
  ]);
});

type TablePlace = Pick<StateTable, 'party' | 'table'>;

/** A row in words. A saved run has no ends, and of the correspondence table what has a signature. */
const rowIn =
  ({ party, table }: TablePlace) =>
  ({ token, user, signOnRecord }: StateRow) =>
    signOnRecord === false ? [] : [`${party} ${table} ${token} ${user}`];

/** The rows of both servers after the last message, from what each message changed. */
function rowsAfter({ details }: Replay): string[] {
  const rows = new Map<string, string[]>();
  const inOrder = Object.values(details).sort((a, b) => a.endedAt - b.endedAt || a.id - b.id);
  for (const change of inOrder.flatMap(({ changes }) => changes)) {
    const key = `${change.party} ${change.table} ${change.row.id}`;
    rows.set(key, change.how === 'removed' ? [] : rowIn(change)(change.row));
  }
  return [...rows.values()].flat().sort();
}

test('calls through the proxies are answered while a long run is read', async () => {
  const { post, addresses } = await startConsole();
  let isRead = false;
  const reading = post<Replay>('/api/replay', JSON.parse(longRun(2_000))).finally(() => {
    isRead = true;
  });
  let answered = 0;
  while (!isRead) {
    await send(addresses.ehr, {});
    answered++;
  }
  expect((await reading).rows).toHaveLength(2_000);
  expect(answered).toBeGreaterThan(20);
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

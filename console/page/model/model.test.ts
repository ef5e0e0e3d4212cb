import { describe, expect, test } from 'vitest';
import { systemClock } from '#protocol/time/clock.ts';
import { changesBetween } from '../../api/state.ts';
import {
  type LiveVerdict,
  MAX_RUN_BYTES,
  type Row,
  RUN_TOO_LARGE,
  type StateRow,
  type StateTable,
} from '../../api.ts';
import { linkTo, momentIn } from '../connection/address.ts';
import type { Requests } from '../connection/requests.ts';
import {
  exchange,
  linkedState,
  message,
  moment,
  pendingState,
  START,
  verdicts,
} from '../testing/scripted-exchange.ts';
import { withTourSteps } from '../view/lanes/lane-list.tsx';
import { createController } from './controller.ts';
import { addRows, filtered, linesOf, noFilter } from './lines.ts';
import { createStore, emptyModel, type Model } from './model.ts';
import { type Loaded, onEvent, onLoaded, release } from './reduce.ts';
import { markedTables } from './tables.ts';

/** The lines in their order, calls and replies with the number of their message. */
const told = (rows: readonly Row[]) =>
  linesOf(rows)
    .map((line) => (line.kind === 'remark' ? 'remark' : `${line.kind} ${line.message.id}`))
    .join(', ');

describe('the lines of the lanes', () => {
  test('an internal call stands between the call and the reply that it belongs to', () =>
    expect(told(exchange)).toContain('remark, call 6, call 7, reply 7, reply 6, call 8'));

  test('a call at the same millisecond is still within, the next is not', () => {
    const at = (id: number, wire: 'client->auth' | 'auth->ehr') =>
      message(id, wire, 0, 0, { method: 'a.b', answer: 'result' });
    expect(told([at(1, 'client->auth'), at(2, 'auth->ehr'), at(3, 'client->auth')])).toBe(
      'call 1, call 2, reply 2, reply 1, call 3, reply 3',
    );
  });

  test('a late row takes its place, and a doubled one counts once', () => {
    const [first, second, third] = exchange as [Row, Row, Row];
    expect(addRows(addRows([first], [third]), [second, third])).toEqual([first, second, third]);
  });

  test('a call under way has no reply, and its end takes the same place', () => {
    const leaving = message(2, 'client->auth', 20, 0, { method: 'a.b', answer: '', outcome: 'underWay' });
    const rows = addRows(exchange, [leaving]);
    expect(told(rows)).toMatch(/^remark, call 2, call 3, reply 3, call 4, reply 4, remark,/);
    // Just after reply 4.
    const ended = { ...leaving, outcome: 'done', endedAt: START + 950 } as const;
    expect(addRows(rows, [ended]).map(({ id }) => id)).toEqual(exchange.map(({ id }) => id));
    expect(told(addRows(rows, [ended]))).toMatch(
      /^remark, call 2, call 3, reply 3, call 4, reply 4, reply 2, remark,/,
    );
  });

  test('a filter lets through what fits in every respect, and no remark', () => {
    const filter = { ...noFilter, party: 'ehr', outcome: 'refused' } as const;
    expect(filtered(exchange, filter).map(({ id }) => id)).toEqual([4]);
    expect(filtered(exchange, noFilter)).toBe(exchange);
    // A part of methods, a number, a part of answer and params, a fault, the person of all messages.
    for (const [text, ids] of [
      ['EXCHANGE_token', [6, 7]],
      ['#8', [8]],
      ['user_sign', [8, 9]],
      ['reply-lost', [10]],
      [' Anna ', [2, 3, 4, 6, 7, 8, 9, 10]],
    ] as const)
      expect(filtered(exchange, { ...noFilter, text }).map(({ id }) => id)).toEqual(ids);
  });
});

test('a saved run that is too large is refused before it is read', async () => {
  const store = createStore();
  const controller = createController({ store, requests: {} as Requests, clock: systemClock });
  const text = () => Promise.reject(new Error('it was read'));
  await controller.replay({ size: MAX_RUN_BYTES + 1, text });
  expect(store.current().problem).toBe(RUN_TOO_LARGE);
});

describe('the state of the servers', () => {
  test('what was added, changed and removed is marked, in the table of its server', () => {
    const changes = changesBetween(pendingState.tables, linkedState.tables);
    expect(changes.map(({ table: name, how }) => `${name} ${how}`)).toEqual([
      'exchangeTokens removed',
      'sessions added',
      'links added',
    ]);
    const [tokens] = markedTables(linkedState, changes);
    expect(tokens?.rows.map(({ row, mark }) => [row.token, mark])).toEqual([
      ['‹exchange-token 1›', 'removed'],
    ]);
  });

  test('a row changed when the server’s data differ, not what the console adds', () => {
    const isSessions = ({ party, table }: StateTable) => party === 'ehr' && table === 'sessions';
    const [session] = linkedState.tables.find(isSessions)?.rows ?? [];
    const hows = (change: object) => {
      const rows = [{ ...session, ...change } as StateRow];
      const tables = linkedState.tables.map((table) => (isSessions(table) ? { ...table, rows } : table));
      return changesBetween(linkedState.tables, tables).map(({ how }) => how);
    };
    for (const change of [{ endsAt: START }, { patient: 'p-2' }, { failures: 1 }])
      expect(hows(change)).toEqual(['changed']);
    for (const change of [{ changedBy: 9 }, { token: '‹session-token 2›' }, { person: 'boris' }])
      expect(hows(change)).toEqual([]);
  });
});

/** A message that comes after those of the exchange. */
const row = message(11, 'client->auth', 0, 1, { method: 'a.b', answer: 'result' });

/** The model after the answers to what was asked for when it was `before`. */
const loadedInto = (model: Model, before: Model, answers: Partial<Loaded>) =>
  onLoaded(model, { rows: [], verdicts: [], state: pendingState, phone: [], ...answers }, before);

describe('events', () => {
  test('while paused rows wait, but for the one with patient data', () => {
    const paused = { ...emptyModel, paused: true };
    const held = onEvent(paused, { name: 'row', data: row }, START);
    expect([held.rows, held.waiting]).toEqual([[], [row]]);
    expect(release(held, 'one').rows).toEqual([row]);
    const leak = { ...row, patientData: ['surname in the body'] };
    expect(onEvent(paused, { name: 'row', data: leak }, START).rows).toEqual([leak]);
  });

  test('a row that comes while all are asked for is not lost', () => {
    const early = onEvent(emptyModel, { name: 'row', data: row }, START);
    expect(loadedInto(early, emptyModel, { rows: exchange }).rows).toEqual([...exchange, row]);
  });

  test('a verdict that comes while all are fetched is the newer one', () => {
    const [some] = verdicts as [LiveVerdict];
    const verdict = (outcome: 'pass' | 'fail', check: string): LiveVerdict => ({ ...some, outcome, check });
    const known = [verdict('pass', 'a'), verdict('pass', 'gone')];
    const before = { ...emptyModel, verdicts: new Map(known.map((each) => [each.check, each])) };
    const judged = onEvent(before, { name: 'verdict', data: verdict('fail', 'a') }, START);
    const loaded = loadedInto(judged, before, { verdicts: [verdict('pass', 'a'), verdict('pass', 'b')] });
    expect([...loaded.verdicts.values()].map(({ check, outcome }) => [check, outcome])).toEqual([
      ['a', 'fail'],
      ['b', 'pass'],
    ]);
  });
});

const afterReset = (model: Model, data = { isEmptied: true }) =>
  onEvent(model, { name: 'reset', data }, START);

describe('rows that were asked for', () => {
  test('a row keeps waiting while all are fetched; rows of an earlier demo go', () => {
    const [first, ...rest] = exchange as [Row, ...Row[]];
    const before = { ...emptyModel, paused: true, rows: [first, { ...row, id: 99 }], waiting: rest };
    const held = onEvent(before, { name: 'row', data: row }, START);
    const loaded = loadedInto(held, before, { rows: exchange });
    expect([loaded.rows, loaded.waiting]).toEqual([[first], [...rest, row]]);
  });

  test('a reset forgets every row and keeps the person who was chosen', () => {
    const before = { ...emptyModel, rows: exchange, person: 'anna', chosen: 7 };
    const { rows, chosen, person } = afterReset(before);
    expect([rows, chosen, person]).toEqual([[], undefined, 'anna']);
    expect(afterReset(before, { isEmptied: false }).rows).toEqual([]);
  });

  test('a reset that empties the servers is counted, one that restores them is not', () => {
    const emptied = afterReset(emptyModel);
    expect([emptied.timesEmptied, afterReset(emptied, { isEmptied: false }).timesEmptied]).toEqual([1, 1]);
  });

  test('a reset ends a pause that an alarm began, and no other', () => {
    const paused = { ...emptyModel, paused: true };
    expect(afterReset(paused).paused).toBe(true);
    expect(afterReset({ ...paused, alarm: { message: 7, found: [] } }).paused).toBe(false);
  });
});

test('a moment survives as a link, without the token of its page', () => {
  const link = linkTo(moment, 'http://127.0.0.1:4400/?token=secret');
  expect(link).not.toContain('secret');
  expect(momentIn(link)).toEqual({ moment });
  expect(momentIn('http://127.0.0.1:4400/#lanes')).toBeUndefined();
});

test('a link that cannot be read tells the version that it has', () => {
  for (const [content, version] of [
    ['broken', undefined],
    ['null', undefined],
    ['{"version":1}', undefined],
    ['{"version":99}', 99],
  ] as const)
    expect(momentIn(`http://127.0.0.1:4400/#moment=${encodeURIComponent(content)}`)).toEqual({ version });
});

test('a text message that comes while all are asked for stays on the phone', () => {
  const text = (id: number) => ({ id, to: '79990000001', text: 'Your code: 1234', code: '1234', at: id });
  const early = [1, 2].reduce((model, id) => onEvent(model, { name: 'text', data: text(id) }, 0), emptyModel);
  const loaded = loadedInto(early, emptyModel, { phone: [text(1)] });
  expect(loaded.phone.map(({ id }) => id)).toEqual([2, 1]);
});

const titles = (rows: typeof exchange) =>
  withTourSteps(linesOf(rows)).flatMap((row) => (row.kind === 'tourStep' ? [row.step.title] : []));

test('a refused link is not told as one that was made', () => {
  const refused = exchange.map((row) => (row.id === 8 ? { ...row, outcome: 'refused' as const } : row));
  expect(titles(exchange)).toContain('The two halves meet');
  expect(titles(refused)).toEqual(titles(exchange).slice(0, -1));
});

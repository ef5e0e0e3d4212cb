import { expect, test } from 'vitest';
import type { ExchangeEntry } from '#conformance/engine/journal/entry.ts';
import { exchange, request, response } from '#conformance/engine/journal/testing/exchanges.ts';
import { changesByMessage, type StoredChange, type StoredRow } from './stored-rows.ts';

const session = { user: '‹user 1›', token: '‹session-token 1›' };
const authInfo = { ...session, ttl: 1440 };

type SessionGiven = Partial<typeof authInfo>;
type CallBody = { params?: { authInfo?: SessionGiven; exchangeToken?: string }; cred?: object };
type ReplyTold = { result?: boolean; batch?: boolean; reply?: { authInfo?: SessionGiven; linked?: boolean } };

/** A call to a server, as the journal holds it. */
function call(
  seq: number,
  method: string,
  members: CallBody,
  { result = true, batch = false, reply = {} }: ReplyTold = {},
): ExchangeEntry {
  const body = { jsonrpc: '2.0', id: seq, method, ...members };
  const facts = {
    call: { method, idType: 'number', jsonrpc: '2.0', params: {}, ttl: members.params?.authInfo?.ttl },
    reply: { result, ttl: reply.authInfo?.ttl },
  };
  return exchange(seq, {
    link: method.startsWith('auth.') ? 'client->auth' : method.includes('save') ? 'auth->ehr' : 'client->ehr',
    request: request({ body: JSON.stringify(batch ? [body] : body) }),
    facts,
    response: response(JSON.stringify({ result: reply })),
  });
}

const saveToken = (seq: number, exchangeToken = '‹exchange-token 1›') =>
  call(seq, 'embedded_storage.save_exchange_token', { params: { exchangeToken, authInfo } });
const authenticate = (seq: number, options = {}) =>
  call(seq, 'embedded_storage.authenticate', { params: { exchangeToken: '‹exchange-token 1›' } }, options);
type ChangesBySeq = ReturnType<typeof changesByMessage>;

/** The rows that are stored after a message. */
function storedAfter(changesBySeq: ChangesBySeq, until: number): StoredRow[] {
  const stored = new Map<string, StoredRow>();
  for (const [seq, changes] of changesBySeq)
    for (const { how, row } of seq <= until ? changes : []) {
      const key = `${row.party} ${row.table} ${row.token ?? row.user}`;
      if (how === 'added') stored.set(key, row);
      else stored.delete(key);
    }
  return [...stored.values()];
}

const words = (changes: readonly StoredChange[]) =>
  changes.map(({ how, row: { table, token, user } }) => `${how} ${table} ${token ?? user}`);

test('an exchange token becomes a session and a link, which a logout keeps', () => {
  const changes = changesByMessage([
    saveToken(1),
    call(2, 'patient.get_patient', { cred: session }),
    authenticate(3),
    saveToken(4, '‹exchange-token 2›'),
    call(5, 'embedded_storage.remove_auth_info', { params: {}, cred: session }),
  ]);
  expect([...changes].map(([seq, own]) => [seq, words(own)])).toEqual([
    [1, ['added exchangeTokens ‹exchange-token 1›']],
    [
      3,
      [
        'removed exchangeTokens ‹exchange-token 1›',
        'added sessions ‹session-token 1›',
        'added links ‹user 1›',
      ],
    ],
    [4, ['added exchangeTokens ‹exchange-token 2›']],
    [5, ['removed sessions ‹session-token 1›', 'removed exchangeTokens ‹exchange-token 2›']],
  ]);
});

test('a disconnection leaves nothing; a session is added once', () => {
  const changes = changesByMessage([
    saveToken(1),
    authenticate(2),
    call(3, 'embedded_storage.save_auth_info', { params: { authInfo } }),
    call(4, 'embedded_storage.remove_authentication', { params: {}, cred: session }),
  ]);
  expect([...changes.keys()]).toEqual([1, 2, 4]);
  expect(storedAfter(changes, 4)).toEqual([]);
});

test('a session lives as long as the message told that it came with', () => {
  const changes = changesByMessage([
    call(1, 'auth.confirm_otp', {}, { reply: { authInfo: { ...session, ttl: 10 } } }),
    saveToken(2),
    authenticate(3),
    call(4, 'embedded_storage.save_auth_info', {
      params: { authInfo: { ...authInfo, token: '‹session-token 2›', ttl: 30 } },
    }),
  ]);
  const lives = storedAfter(changes, 4).map(({ party, table, ttl }) => [party, table, ttl]);
  expect(lives).toEqual([
    ['auth', 'sessions', 10],
    ['ehr', 'sessions', authInfo.ttl],
    ['ehr', 'links', undefined],
    ['ehr', 'sessions', 30],
  ]);
});

test('what is refused, stands in a batch or comes from nowhere changes nothing', () => {
  const changes = changesByMessage([
    authenticate(1),
    call(2, 'embedded_storage.save_auth_info', { params: { authInfo } }, { result: false }),
    call(3, 'embedded_storage.save_auth_info', { params: { authInfo } }, { batch: true }),
    call(4, 'embedded_storage.remove_auth_info', { params: {}, cred: session }),
  ]);
  expect(changes.size).toBe(0);
});

test('the order of the replies decides, not that of the calls', () => {
  const late = { ...saveToken(1), endedAt: 90 };
  const save = call(3, 'embedded_storage.save_auth_info', { params: { authInfo } });
  expect([...changesByMessage([late, authenticate(2), save]).keys()]).toEqual([3, 1]);
});

test('the authorization server holds sessions, and signatures while they work', () => {
  const signIn = (seq: number, linked: boolean, token = session.token) =>
    call(seq, 'auth.confirm_otp', {}, { reply: { authInfo: { ...session, token }, linked } });
  const changes = changesByMessage([
    signIn(1, false),
    call(2, 'auth.report_link', { cred: session }),
    call(3, 'auth.report_link', { cred: session }),
    call(4, 'auth.logout', { cred: session }),
    signIn(5, true, '‹session-token 2›'),
    signIn(6, false, '‹session-token 3›'),
    call(7, 'auth.report_link', { cred: session }, { result: false }),
    call(8, 'auth.delete_user', { cred: { ...session, token: '‹session-token 3›' } }),
  ]);
  expect([...changes].map(([seq, own]) => [seq, words(own)])).toEqual([
    [1, ['added sessions ‹session-token 1›']],
    [2, ['added correspondence ‹user 1›']],
    [4, ['removed sessions ‹session-token 1›']],
    [5, ['added sessions ‹session-token 2›']],
    [6, ['added sessions ‹session-token 3›', 'removed correspondence ‹user 1›']],
    [8, ['removed sessions ‹session-token 2›', 'removed sessions ‹session-token 3›']],
  ]);
});

test('an ending at one server leaves the session of the other', () => {
  const reply = { authInfo: session, linked: false };
  const changes = changesByMessage([
    call(1, 'auth.confirm_otp', {}, { reply }),
    call(2, 'embedded_storage.save_auth_info', { params: { authInfo } }),
    call(3, 'embedded_storage.remove_auth_info', { params: {}, cred: session }),
    call(4, 'auth.logout', { cred: session }),
  ]);
  const stored = (seq: number) => storedAfter(changes, seq).map(({ party, table }) => `${party} ${table}`);
  expect([1, 2, 3, 4].map(stored)).toEqual([
    ['auth sessions'],
    ['auth sessions', 'ehr sessions'],
    ['auth sessions'],
    [],
  ]);
});

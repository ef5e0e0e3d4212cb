import { expect } from 'vitest';
import { MAX_CODES, MAX_MESSAGES } from './store.ts';
import { addSession, addUser, bytes, onEachStore } from './testing.ts';

const phone = (value: string) => ({ kind: 'phone', value }) as const;
const ANNA = phone('79990000001');
const MAIL = { kind: 'email', value: '79990000001' } as const;
const CODE = { salt: bytes('salt'), hash: bytes('hash') };

onEachStore('a user is made once for an identity, whose kind belongs to it', ({ directory }) => {
  const ensure = (user: string, identity: typeof ANNA | typeof MAIL) =>
    directory.ensureUser({ user, identity, internalId: undefined, now: 0 });
  expect([ensure('u-1', ANNA), ensure('u-2', ANNA), ensure('u-3', MAIL)]).toEqual(['u-1', 'u-1', 'u-3']);
  expect([directory.userOf(ANNA), directory.userOf(MAIL), directory.userOf(phone('1'))]).toEqual([
    'u-1',
    'u-3',
    undefined,
  ]);
  expect([directory.identityOf('u-3'), directory.identityOf('u-2')]).toEqual([MAIL, undefined]);
});

onEachStore('a signature on the entry is replaced or removed only if nobody changed it', (store) => {
  const { directory } = store;
  addUser(store, 'anna');
  addUser(store, 'orphan', { internalId: undefined });
  const signOf = (user: string) => directory.entryOf(user)?.userSign;
  expect([directory.entryOf('anna'), directory.entryOf('orphan')]).toEqual([
    { internalId: 'int-anna', userSign: null },
    undefined,
  ]);
  expect([directory.keepUserSign('orphan', 's'), directory.keepUserSign('nobody', 's')]).toEqual([
    false,
    false,
  ]);
  directory.replaceUserSign('anna', 'other', 's-1');
  expect(signOf('anna')).toBe(null);
  directory.replaceUserSign('anna', null, 's-1');
  expect(signOf('anna')).toBe('s-1');
  directory.replaceUserSign('anna', null, 's-2');
  expect(signOf('anna')).toBe('s-1');
  directory.replaceUserSign('anna', 's-1', null);
  expect(signOf('anna')).toBe(null);
  expect(directory.keepUserSign('anna', 's-3')).toBe(true);
  expect(signOf('anna')).toBe('s-3');
});

onEachStore('the entries are listed by age and name, without their signatures', (store) => {
  const { directory } = store;
  addUser(store, 'new', { now: 2 });
  addUser(store, 'b', { now: 1 });
  addUser(store, 'a', { now: 1 });
  addUser(store, 'orphan', { internalId: undefined });
  directory.keepUserSign('b', 'sign');
  const login = (value: string) => ({ kind: 'login', value });
  expect(directory.listEntries()).toEqual([
    { user: 'a', attribute: login('a'), internalId: 'int-a', userSignOnRecord: false },
    { user: 'b', attribute: login('b'), internalId: 'int-b', userSignOnRecord: true },
    { user: 'new', attribute: login('new'), internalId: 'int-new', userSignOnRecord: false },
  ]);
  expect([directory.removeEntry('a'), directory.removeEntry('a')]).toEqual([true, false]);
  expect(directory.listEntries().map(({ user }) => user)).toEqual(['b', 'new']);
  // The user stays without an entry, and gets no new one.
  expect(addUser(store, 'a')).toBe('a');
  expect(directory.entryOf('a')).toBeUndefined();
});

onEachStore('a removed user is gone with entry, sessions, code and messages, and others stay', (store) => {
  const { directory, sessions, codes, messages } = store;
  for (const [user, identity] of [
    ['u-1', ANNA],
    ['u-2', MAIL],
  ] as const) {
    store.atomically(() => directory.ensureUser({ user, identity, internalId: `int-${user}`, now: 0 }));
    sessions.add({ tokenHash: bytes(user), user, internalId: undefined, createdAt: 0, expiresAt: 9 });
    codes.put(identity, CODE, 0, 9);
    messages.add(identity, 'text', '123456', 0);
  }
  store.deleteUser('nobody');
  store.deleteUser('u-1');
  expect([directory.userOf(ANNA), directory.identityOf('u-1'), directory.entryOf('u-1')]).toEqual(
    Array(3).fill(undefined),
  );
  expect([sessions.find(bytes('u-1')), codes.find(ANNA), messages.list(ANNA)]).toEqual([
    undefined,
    undefined,
    [],
  ]);
  expect(directory.userOf(MAIL)).toBe('u-2');
  expect(sessions.find(bytes('u-2'))).toEqual({ user: 'u-2', expiresAt: 9 });
  expect(codes.find(MAIL)).toBeDefined();
  expect(messages.list(undefined)).toHaveLength(1);
});

onEachStore('a session is found until it ends, and ends once', (store) => {
  const { sessions } = store;
  addUser(store, 'anna');
  addSession(store, 't', 5, 'int-anna');
  expect([sessions.find(bytes('t')), sessions.find(bytes('t2'))]).toEqual([
    { user: 'anna', expiresAt: 5 },
    undefined,
  ]);
  expect([sessions.end(bytes('t2'), 1), sessions.end(bytes('t'), 1), sessions.end(bytes('t'), 2)]).toEqual([
    false,
    true,
    false,
  ]);
  expect(sessions.find(bytes('t'))).toBeUndefined();
  // It ended at 1, before it would have expired.
  expect([sessions.purge(1, 9), sessions.purge(2, 9)]).toEqual([0, 1]);
});

onEachStore('the sessions that have not ended are listed, the last to expire first', (store) => {
  const { sessions } = store;
  addUser(store, 'anna');
  for (const [name, expiresAt] of [
    ['a', 5],
    ['b', 9],
    ['c', 7],
    ['d', 3],
  ] as const)
    addSession(store, name, expiresAt);
  sessions.end(bytes('c'), 1);
  const listed = sessions
    .list(2)
    .map((row) => ({ ...row, tokenHash: Buffer.from(row.tokenHash).toString() }));
  expect(listed).toEqual([
    { tokenHash: 'b', user: 'anna', expiresAt: 9 },
    { tokenHash: 'a', user: 'anna', expiresAt: 5 },
  ]);
});

onEachStore('a code replaces the last one, and is used up by its own number', ({ codes }) => {
  codes.put(ANNA, CODE, 0, 300);
  const first = codes.find(ANNA);
  expect(first).toMatchObject({ sentAt: 0, expiresAt: 300, failures: 0 });
  expect([...(first?.salt ?? [])]).toEqual([...CODE.salt]);
  expect([...(first?.hash ?? [])]).toEqual([...CODE.hash]);
  codes.countFailure(first?.seq ?? 0);
  codes.countFailure(first?.seq ?? 0);
  expect(codes.find(ANNA)?.failures).toBe(2);
  codes.put(ANNA, CODE, 1, 301);
  const second = codes.find(ANNA);
  expect(second).toMatchObject({ sentAt: 1, expiresAt: 301, failures: 0 });
  codes.countFailure(first?.seq ?? 0);
  expect(codes.find(ANNA)?.failures).toBe(0);
  expect([
    codes.consume(first?.seq ?? 0),
    codes.consume(second?.seq ?? 0),
    codes.consume(second?.seq ?? 0),
  ]).toEqual([false, true, false]);
  expect(codes.find(ANNA)).toBeUndefined();
});

onEachStore('the number of codes after the oldest valid one is told', ({ codes }) => {
  expect(codes.put(phone('1'), CODE, 0, 10)).toBe(0);
  expect(codes.put(phone('2'), CODE, 1, 20)).toBe(1);
  expect(codes.put(phone('3'), CODE, 2, 30)).toBe(2);
  // The first has run out, then the second is replaced.
  expect(codes.put(phone('4'), CODE, 10, 40)).toBe(2);
  expect(codes.put(phone('2'), CODE, 11, 41)).toBe(2);
  expect([codes.purge(30, 1), codes.purge(30, 9), codes.purge(31, 9)]).toEqual([1, 0, 1]);
  // All others have run out.
  expect(codes.put(phone('5'), CODE, 50, 60)).toBe(0);
});

onEachStore('every code that works is kept, and so many expired, the newest', ({ codes, atomically }) => {
  atomically(() => {
    for (let index = 0; index < MAX_CODES + 5; index++) codes.put(phone(String(index)), CODE, 0, 10);
  });
  expect(codes.find(phone('0'))).toBeDefined();
  // All before it have run out, and with it six are too many.
  codes.put(phone('next'), CODE, 10, 20);
  expect([codes.find(phone('5')), codes.find(phone('6'))]).toEqual([undefined, expect.anything()]);
});

onEachStore('sendings ahead of the clock count like those behind, but not as last', ({ sendings }) => {
  for (const at of [10, 20, 30, 40]) sendings.add(bytes('a'), at);
  // Those within eleven of now count; the last is the newest up to now.
  const seen = [5, 15, 20, 25].map((now) => sendings.since(bytes('a'), now - 11, now));
  expect(seen).toEqual([
    { count: 1, last: null },
    { count: 2, last: 10 },
    { count: 3, last: 20 },
    { count: 2, last: 20 },
  ]);
});

onEachStore('sendings are counted by recipient, and outlive everything but their day', ({ sendings }) => {
  for (const at of [1, 2, 3]) sendings.add(bytes('a'), at);
  sendings.add(bytes('b'), 2);
  expect([
    sendings.since(bytes('a'), 1, 9),
    sendings.since(bytes('a'), 3, 9),
    sendings.since(bytes('c'), 0, 9),
  ]).toEqual([
    { count: 2, last: 3 },
    { count: 0, last: null },
    { count: 0, last: null },
  ]);
  expect([sendings.purge(3, 2), sendings.purge(3, 2), sendings.purge(3, 2)]).toEqual([2, 1, 0]);
  expect([sendings.since(bytes('a'), 0, 9), sendings.since(bytes('b'), 0, 9)]).toEqual([
    { count: 1, last: 3 },
    { count: 0, last: null },
  ]);
});

onEachStore('messages are listed newest first, to one or to all, and after a cursor', ({ messages }) => {
  messages.add(ANNA, 'first', '1', 5);
  messages.add(MAIL, 'second', '2', 6);
  messages.add(ANNA, 'third', '3', 7);
  const all = messages.list(undefined);
  expect(all.map(({ id: _id, ...message }) => message)).toEqual([
    { to: ANNA.value, text: 'third', code: '3', at: 7 },
    { to: MAIL.value, text: 'second', code: '2', at: 6 },
    { to: ANNA.value, text: 'first', code: '1', at: 5 },
  ]);
  expect(messages.list(ANNA).map(({ text }) => text)).toEqual(['third', 'first']);
  expect(messages.list(ANNA, all[1]?.id).map(({ text }) => text)).toEqual(['third']);
  expect(messages.list(undefined, all[0]?.id)).toEqual([]);
});

onEachStore('only so many messages are kept, the newest ones', ({ messages, atomically }) => {
  atomically(() => {
    for (let index = 0; index <= MAX_MESSAGES; index++) messages.add(ANNA, `message ${index}`, '1', index);
  });
  const texts = messages.list(undefined).map(({ text }) => text);
  const ends = [`message ${MAX_MESSAGES}`, 'message 1'];
  expect([texts.length, texts[0], texts.at(-1)]).toEqual([MAX_MESSAGES, ...ends]);
});

onEachStore('a transaction that throws undoes all of its changes, and what came before stays', (store) => {
  const { codes, directory, messages, sendings, sessions } = store;
  addUser(store, 'anna');
  addSession(store, 't', 5);
  codes.put(ANNA, CODE, 0, 9);
  const { seq = 0 } = codes.find(ANNA) ?? {};
  const failing = () =>
    store.atomically(() => {
      directory.keepUserSign('anna', 'sign');
      sessions.end(bytes('t'), 1);
      codes.countFailure(seq);
      codes.put(MAIL, CODE, 0, 9);
      sendings.add(bytes('a'), 1);
      messages.add(ANNA, 'text', '1', 0);
      directory.removeUser('anna');
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  expect(directory.entryOf('anna')).toEqual({ internalId: 'int-anna', userSign: null });
  expect(sessions.find(bytes('t'))).toBeDefined();
  expect([codes.find(ANNA)?.failures, codes.find(MAIL)]).toEqual([0, undefined]);
  expect([sendings.since(bytes('a'), 0, 9).count, messages.list(undefined)]).toEqual([0, []]);
  expect(store.atomically(() => directory.keepUserSign('anna', 'sign'))).toBe(true);
});

import { expect, test } from 'vitest';
import { createMemory, type Snapshot, storageAt, storageOf, storageOrSubstitute } from './memory.ts';
import { phone, session } from './testing/walk.ts';

function storage() {
  const items = new Map<string, string>();
  return { items, ...storageOf(items) };
}

const snapshots: Snapshot[] = [
  { at: 'code', attribute: phone, digits: 6 },
  { at: 'session', attribute: phone, session, reportDue: true },
  { at: 'session', attribute: { kind: 'email', value: 'a'.repeat(254) }, session, reportDue: false },
  { at: 'finish', attribute: phone, session, ending: 'delete' },
  { at: 'finish', attribute: phone, session, ending: 'logout' },
  { at: 'finish', attribute: phone, session, ending: 'disconnect' },
];

test('what the tab remembers comes back as it was', () => {
  for (const snapshot of snapshots) {
    const tab = storage();
    const memory = createMemory(tab, storage());
    expect(memory.readSnapshot()).toBeUndefined();
    memory.writeSnapshot(snapshot);
    expect(memory.readSnapshot()).toEqual(snapshot);
    memory.writeSnapshot(undefined);
    expect(memory.readSnapshot()).toBeUndefined();
    expect(tab.items.size).toBe(0);
  }
});

test('a code step whose length is not known comes back as well', () => {
  const memory = createMemory(storage(), storage());
  memory.writeSnapshot({ at: 'code', attribute: phone, digits: undefined });
  expect(memory.readSnapshot()).toEqual({ at: 'code', attribute: phone });
});

test('what is not a snapshot of ours is passed over', () => {
  const tab = storage();
  const memory = createMemory(tab, storage());
  memory.writeSnapshot(snapshots[1]);
  const [key] = [...tab.items.keys()];
  for (const text of ['', '{', 'null', '[]', '{"at":"session"}', '{"at":"record","attribute":{}}']) {
    tab.items.set(key ?? '', text);
    expect(memory.readSnapshot()).toBeUndefined();
  }
});

test('a snapshot with a member that cannot be right is passed over', () => {
  const tab = storage();
  const memory = createMemory(tab, storage());
  for (const wrong of [
    { at: 'code', attribute: { kind: 'fax', value: '1' } },
    { at: 'code', attribute: { kind: 'phone', value: '1'.repeat(255) } },
    { at: 'code', attribute: phone, digits: 6.5 },
    { at: 'session', attribute: phone, session: { ...session, user: '' }, reportDue: true },
    { at: 'session', attribute: phone, session: { ...session, token: '' }, reportDue: true },
    { at: 'session', attribute: phone, session: { ...session, ttl: '1' }, reportDue: true },
    { at: 'session', attribute: phone, session },
    { at: 'finish', attribute: phone, session, ending: 'sleep' },
  ]) {
    tab.setItem('my-records.tab', JSON.stringify(wrong));
    expect(memory.readSnapshot(), JSON.stringify(wrong)).toBeUndefined();
  }
});

test('the names of what is kept stay for later versions', () => {
  const [tab, device] = [storage(), storage()];
  const memory = createMemory(tab, device);
  memory.writeSnapshot(snapshots[0]);
  memory.keepSign(phone, 'sign-1');
  expect([...tab.items.keys()]).toEqual(['my-records.tab']);
  expect([...device.items]).toEqual([['my-records.user-sign:phone:79990000001', 'sign-1']]);
});

test('a signature belongs to one attribute and stays on the device', () => {
  const [tab, device] = [storage(), storage()];
  const memory = createMemory(tab, device);
  memory.keepSign(phone, 'sign-1');
  expect(memory.recallSign(phone)).toBe('sign-1');
  expect(memory.recallSign({ kind: 'email', value: phone.value })).toBeUndefined();
  expect(tab.items.size).toBe(0);
  memory.forgetSign(phone);
  expect(memory.recallSign(phone)).toBeUndefined();
});

test('a browser that denies storage gets one as long as the page', () => {
  const denied = storageOrSubstitute(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  denied.setItem('a', '1');
  expect(denied.getItem('a')).toBe('1');
  denied.removeItem('a');
  expect(denied.getItem('a')).toBeNull();
});

test('a browser that allows its storage keeps nothing but what is asked', () => {
  const real = storage();
  expect(storageOrSubstitute(() => real)).toBe(real);
  expect(real.items.size).toBe(0);
});

test('two clients below one address keep their own, apart from the root', () => {
  const tab = storage();
  const [one, other, root] = ['/w/1/client/', '/w/2/client/', '/'].map((path) =>
    createMemory(storageAt(path, tab), storageAt(path, tab)),
  );
  one?.writeSnapshot(snapshots[1]);
  one?.keepSign(phone, 'sign-1');
  for (const memory of [other, root]) {
    expect(memory?.readSnapshot()).toBeUndefined();
    expect(memory?.recallSign(phone)).toBeUndefined();
  }
  expect(one?.recallSign(phone)).toBe('sign-1');
  other?.forgetSign(phone);
  expect(one?.readSnapshot()).toEqual(snapshots[1]);
  root?.keepSign(phone, 'sign-2');
  expect([...tab.items.keys()].filter((key) => key.startsWith('my-records'))).toHaveLength(1);
  one?.forgetSign(phone);
  expect(one?.recallSign(phone)).toBeUndefined();
});

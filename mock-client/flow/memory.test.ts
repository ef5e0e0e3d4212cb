import { expect, test } from 'vitest';
import { createMemory, type Shelf, shelfOrSubstitute } from './memory.ts';
import type { Snapshot } from './snapshot.ts';
import { phone, session } from './testing/walk.ts';

function shelf(): Shelf & { items: Map<string, string> } {
  const items = new Map<string, string>();
  return {
    items,
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

const snapshots: Snapshot[] = [
  { at: 'code', attribute: phone, digits: 6 },
  { at: 'session', attribute: phone, session, reportDue: true },
  { at: 'finish', attribute: phone, session, ending: 'delete' },
];

test('what the tab remembers comes back as it was', () => {
  for (const snapshot of snapshots) {
    const memory = createMemory(shelf(), shelf());
    expect(memory.readSnapshot()).toBeUndefined();
    memory.writeSnapshot(snapshot);
    expect(memory.readSnapshot()).toEqual(snapshot);
    memory.writeSnapshot(undefined);
    expect(memory.readSnapshot()).toBeUndefined();
  }
});

test('a code step whose length is not known comes back as well', () => {
  const memory = createMemory(shelf(), shelf());
  memory.writeSnapshot({ at: 'code', attribute: phone, digits: undefined });
  expect(memory.readSnapshot()).toEqual({ at: 'code', attribute: phone });
});

test('what is not a snapshot of ours is passed over', () => {
  const tab = shelf();
  const memory = createMemory(tab, shelf());
  memory.writeSnapshot(snapshots[1]);
  const [key] = [...tab.items.keys()];
  for (const text of ['', '{', 'null', '[]', '{"at":"session"}', '{"at":"record","attribute":{}}']) {
    tab.items.set(key ?? '', text);
    expect(memory.readSnapshot()).toBeUndefined();
  }
});

test('a signature belongs to one phone or e-mail address, and stays on the device, not in the tab', () => {
  const [tab, device] = [shelf(), shelf()];
  const memory = createMemory(tab, device);
  memory.keepSign(phone, 'sign-1');
  expect(memory.recallSign(phone)).toBe('sign-1');
  expect(memory.recallSign({ kind: 'email', value: phone.value })).toBeUndefined();
  expect(tab.items.size).toBe(0);
  memory.forgetSign(phone);
  expect(memory.recallSign(phone)).toBeUndefined();
});

test('a browser that denies its storage gets one that lasts as long as the page', () => {
  const denied = shelfOrSubstitute(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  denied.setItem('a', '1');
  expect(denied.getItem('a')).toBe('1');
  denied.removeItem('a');
  expect(denied.getItem('a')).toBeNull();
});

test('a browser that allows its storage keeps nothing but what is asked', () => {
  const real = shelf();
  expect(shelfOrSubstitute(() => real)).toBe(real);
  expect(real.items.size).toBe(0);
});

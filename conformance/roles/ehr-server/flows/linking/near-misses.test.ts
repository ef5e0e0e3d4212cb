import { expect, test } from 'vitest';
import { nameKey } from '#protocol/wire/matching.ts';
import { NAMES } from './near-misses.ts';

test('a near miss is one for servers with and without folding of signs', () => {
  const names = [
    "O'Keefe",
    'O\u2019Keefe',
    'Anne-Marie',
    'Anne\u2011Marie',
    "D'",
    'Anna\u200b',
    '\u202aAnna\u202c',
  ];
  for (const name of names) {
    const person = { name, surname: name, date: '1985-04-12', phone: '79990000001' };
    const properties = { name, surname: name };
    for (const [label, change] of Object.entries(NAMES)) {
      const typed = change(properties, person);
      const isMissed = ['name', 'surname'].some((member) => nameKey(String(typed[member])) !== nameKey(name));
      expect([name, label, isMissed]).toEqual([name, label, true]);
    }
  }
});

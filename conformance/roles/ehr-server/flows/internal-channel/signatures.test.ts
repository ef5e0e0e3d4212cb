import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Linked } from '../../world/world.ts';
import { isDerived } from './signatures.ts';

const person = {
  name: 'Ada',
  surname: 'Byron',
  date: '1815-12-10',
  phone: '79990000001',
  patientId: 'patient-7',
};
const linked = {
  person,
  session: { user: 'user-12', token: 'a session token', ttl: 60 },
  exchangeToken: 'an exchange token',
  recordId: 'record-3',
} as unknown as Linked;

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

test.each(['', ':', '|', '-', '.', '_', ' '])(
  'a hash of two known texts with "%s" between them is no secret',
  (between) => {
    expect(isDerived(hashOf(`user-12${between}record-3`), linked, [])).toBe(true);
  },
);

test('a hash of what nobody knows is a secret', () => {
  expect(isDerived(hashOf('user-12..record-3'), linked, [])).toBe(false);
  expect(isDerived(hashOf('drawn at random'), linked, [])).toBe(false);
});

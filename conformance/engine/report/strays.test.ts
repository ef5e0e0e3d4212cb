import { expect, test } from 'vitest';
import { exchange, request } from '../journal/testing/exchanges.ts';
import { straySentence, straysOf } from './strays.ts';

const sent = (seq: number, path: string, stray?: string) =>
  exchange(seq, { request: request({ path }), facts: { stray } });

test('strays are listed once for each kind, without their query', () => {
  const entries = [
    sent(1, '/login'),
    sent(2, '/login?token=1', 'its Origin is foreign'),
    sent(3, '/login?token=2', 'its Origin is foreign'),
    sent(4, '/', 'its Host is not this machine'),
  ];
  const strays = straysOf(entries);
  expect(strays).toEqual([
    { link: 'client->auth', call: 'POST /login', because: 'its Origin is foreign', times: 2 },
    { link: 'client->auth', call: 'POST /', because: 'its Host is not this machine', times: 1 },
  ]);
  expect(straySentence({ strays })).toBe(
    'Requests that nobody of this run sent, listed and not judged: POST /login on client->auth (its Origin is foreign, 2 times); POST / on client->auth (its Host is not this machine).',
  );
});

test('where there are none, nothing is said', () => {
  expect(straysOf([sent(1, '/login')])).toEqual([]);
  expect(straySentence({})).toBeUndefined();
});

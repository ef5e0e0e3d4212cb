import { expect, test } from 'vitest';
import type { Entry, ExchangeEntry } from '../journal/entry.ts';
import { straySentence, straysOf } from './strays.ts';

const exchange = (seq: number, path: string, stray?: string): ExchangeEntry => ({
  kind: 'exchange',
  seq,
  at: seq,
  endedAt: seq,
  scenario: undefined,
  link: 'client->auth',
  request: { httpVersion: '1.1', method: 'POST', path, headers: [], body: '' },
  facts: stray === undefined ? {} : { stray },
});

test('strays are listed once for each kind, without their query', () => {
  const entries: Entry[] = [
    exchange(1, '/login'),
    exchange(2, '/login?token=1', 'its Origin is foreign'),
    exchange(3, '/login?token=2', 'its Origin is foreign'),
    exchange(4, '/', 'its Host is not this machine'),
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
  expect(straysOf([exchange(1, '/login')])).toEqual([]);
  expect(straySentence({})).toBeUndefined();
});

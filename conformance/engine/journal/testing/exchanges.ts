/** For tests: messages as they cross, and exchanges as the journal holds them, with what matters given. */
import type { ExchangeEntry } from '../entry.ts';

export const request = (more: Partial<ExchangeEntry['request']> = {}): ExchangeEntry['request'] => ({
  ...{ httpVersion: '1.1', method: 'POST', path: '/', headers: [], body: '' },
  ...more,
});

export const response = (
  body: string,
  more: Partial<NonNullable<ExchangeEntry['response']>> = {},
): NonNullable<ExchangeEntry['response']> => ({ status: 200, headers: [], body, ...more });

export const exchange = (seq: number, more: Partial<ExchangeEntry> = {}): ExchangeEntry => ({
  ...{ kind: 'exchange', seq, at: seq, endedAt: seq, link: 'client->auth', request: request(), facts: {} },
  ...more,
});

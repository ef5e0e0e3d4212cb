/**
 * For tests: makes HTTP messages and exchange entries of a journal. A test gives only the members it needs.
 */
import type { ExchangeEntry } from '../entry.ts';

/** A request; these members replace the usual ones. */
export const request = (more: Partial<ExchangeEntry['request']> = {}): ExchangeEntry['request'] => ({
  ...{ httpVersion: '1.1', method: 'POST', path: '/', headers: [], body: '' },
  ...more,
});

/** A response with status 200 and this body, unless `more` says otherwise. */
export const response = (
  body: string,
  more: Partial<NonNullable<ExchangeEntry['response']>> = {},
): NonNullable<ExchangeEntry['response']> => ({ status: 200, headers: [], body, ...more });

/** An exchange between a client and the authorization server, unless `more` says otherwise. */
export const exchange = (seq: number, more: Partial<ExchangeEntry> = {}): ExchangeEntry => ({
  ...{ kind: 'exchange', seq, at: seq, endedAt: seq, link: 'client->auth', request: request(), facts: {} },
  ...more,
});

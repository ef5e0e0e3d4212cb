import { expect, test } from 'vitest';
import type { RawExchange } from '../journal/observe.ts';
import { Handed } from './handed.ts';
import { EHR_METHODS, faultsOf } from './messages.ts';

const SESSION = { user: 'user', token: 'token' };

/** The rules about cred that an authenticate with these members breaks. */
function rulesBrokenBy(members: object): string[] {
  const { authenticate: method } = EHR_METHODS;
  const body = JSON.stringify({ jsonrpc: '2.0', id: '1', method, params: {}, ...members });
  const headers: [string, string][] = [['content-type', 'application/json']];
  const request = { method: 'POST', path: '/1.0-alpha/', headers, body };
  const faults = faultsOf('ehr', { request } as RawExchange, new Handed().known('ehr'), '1.0-alpha');
  return faults.map(({ rule }) => rule).filter((rule) => rule.endsWith('cred'));
}

test('a cred of null in authenticate is no cred, as clients of the field send it', () => {
  expect(rulesBrokenBy({ cred: null, apiKey: null })).toEqual([]);
  expect(rulesBrokenBy({})).toEqual([]);
});

test('credentials in authenticate are reported', () => {
  expect(rulesBrokenBy({ cred: SESSION })).toEqual(['no-cred']);
  expect(rulesBrokenBy({ cred: {} })).toEqual(['no-cred']);
});

import { expect, test } from 'vitest';
import { ehrEndpoint } from './ehr-client.ts';

// What the client does when the EHR server fails: ehr-failures.test.ts.
test('the endpoint is the base URL, the version and a slash', () => {
  expect(ehrEndpoint({ ehrUrl: 'http://a', apiVersion: '1.0-alpha' })).toBe('http://a/1.0-alpha/');
  expect(ehrEndpoint({ ehrUrl: 'http://a/b', apiVersion: '' })).toBe('http://a/b/');
});

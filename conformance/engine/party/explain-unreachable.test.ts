import { expect, test } from 'vitest';
import { certificateRemedy, explainUnreachable } from './explain-unreachable.ts';

test('a port that web clients refuse is named as the reason', async () => {
  const url = 'http://127.0.0.1:6000';
  const error = await fetch(url).catch((reason: unknown) => reason);
  expect(await explainUnreachable(url, error, async () => undefined)).toEqual({
    found: 'web clients refuse port 6000, because another protocol uses it',
    remedy: 'Have the server listen on another port, such as 8080, and correct server.url.',
  });
});

test.each([
  ['its certificate is signed by an unknown authority', /NODE_EXTRA_CA_CERTS/],
  ['its certificate is for another host', /valid for the host/],
])('where %s, the remedy is for that', (found, remedy) => {
  expect(certificateRemedy(found)).toMatch(remedy);
});

test('a reason that is not the certificate has no remedy here', () => {
  expect(certificateRemedy('nothing listens there (ECONNREFUSED)')).toBeUndefined();
});

import { expect, test } from 'vitest';
import { curlOf, harEntryOf, harOf } from './har.ts';

const request = {
  method: 'POST',
  path: '/1.0-alpha/?a=1',
  headers: [
    ['Host', '127.0.0.1:4100'],
    ['Content-Length', '20'],
    ['Content-Type', 'application/json'],
  ],
  body: `{"name":"O'Neill","ё":1}`,
} as const;

test('a request is a command that bash reads as one, without what curl writes by itself', () => {
  expect(curlOf(request)).toBe(
    [
      `curl -X POST 'http://127.0.0.1:4100/1.0-alpha/?a=1'`,
      `  -H 'Content-Type: application/json'`,
      `  --data-raw '{"name":"O'\\''Neill","ё":1}'`,
    ].join(' \\\n'),
  );
  expect(curlOf({ ...request, method: 'GET', headers: [], body: '' })).toBe(
    `curl -X GET 'http://localhost/1.0-alpha/?a=1'`,
  );
});

test('an exchange is an entry of a HAR, and one without a reply has the status 0', () => {
  const reply = { status: 200, headers: [['Date', 'now']], body: '{}' } as const;
  const entry = harEntryOf({ beganAt: 1_000, endedAt: 1_250, request, reply });
  expect(harOf([entry], '1.2.3')).toMatchObject({
    log: {
      version: '1.2',
      creator: { version: '1.2.3' },
      entries: [
        {
          startedDateTime: '1970-01-01T00:00:01.000Z',
          time: 250,
          request: {
            url: 'http://127.0.0.1:4100/1.0-alpha/?a=1',
            headers: [{ name: 'Host', value: '127.0.0.1:4100' }, {}, {}],
            postData: { text: request.body },
            bodySize: 25,
          },
          response: { status: 200, content: { size: 2, text: '{}' }, headers: [{ name: 'Date', value: 'now' }] },
        },
      ],
    },
  });
  const broken = harEntryOf({ beganAt: 5, endedAt: 1, request: { ...request, body: '' } });
  expect(broken).toMatchObject({ time: 0, request: { bodySize: 0 }, response: { status: 0, content: { size: 0 } } });
  expect(JSON.stringify(broken)).not.toContain('postData');
});

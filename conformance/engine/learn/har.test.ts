import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#testing/temporary-folder.ts';
import { readHarFile } from './har.ts';

const written = (text: string) => {
  const file = join(temporaryFolder(), 'sign-in.har');
  writeFileSync(file, text);
  return file;
};

const har = (...entries: object[]) => written(JSON.stringify({ log: { version: '1.2', entries } }));

const entry = ({ request = {}, response = {}, at = 0 } = {}) => ({
  startedDateTime: new Date(at).toISOString(),
  request: { method: 'GET', url: 'http://auth.test/', headers: [], cookies: [], ...request },
  response: { status: 200, headers: [], cookies: [], content: { size: 0, mimeType: '' }, ...response },
  _initiator: { type: 'script' },
});

const one = (parts: Parameters<typeof entry>[0]) => {
  const [exchange] = readHarFile(har(entry(parts)));
  if (!exchange) throw new Error('The recording is empty.');
  return exchange;
};

test('exchanges come in the order of time, with the numbers of this order', () => {
  const at = (ms: number) => entry({ at: ms, request: { url: `http://auth.test/${ms}` } });
  const exchanges = readHarFile(har(at(30), at(10), at(20)));
  expect(exchanges.map(({ number, request }) => [number, request.url.pathname])).toEqual([
    [1, '/10'],
    [2, '/20'],
    [3, '/30'],
  ]);
});

const json = '{"имя":1}';
const inBase64 = Buffer.from(json).toString('base64');

test.each([
  ['as it is', { text: json }],
  ['in base64', { text: inBase64, encoding: 'base64' }],
  ['in base64 that is not said', { text: inBase64 }],
  ['as it is where base64 is said', { text: json, encoding: 'base64' }],
  ['after a byte order mark', { text: `\ufeff${json}` }],
])('a body of JSON is read %s, in requests and answers', (_how, body) => {
  const { request, answer } = one({
    request: { postData: { mimeType: 'application/vnd.api+json', ...body } },
    response: { content: { size: 9, mimeType: 'application/json; charset=utf-8', ...body } },
  });
  for (const { body } of [request, answer]) expect(body).toMatchObject({ kind: 'json', json: { имя: 1 } });
});

test('a form is read from its text or from its parameters', () => {
  const mimeType = 'application/x-www-form-urlencoded';
  const params = [{ name: 'phone', value: '+7 999' }];
  for (const postData of [
    { mimeType, text: 'phone=%2B7+999' },
    { mimeType, params },
  ])
    expect(one({ request: { postData } }).request.body).toMatchObject({
      kind: 'form',
      fields: [['phone', '+7 999']],
    });
});

test('a form by multipart is read from its parts or from its parameters', () => {
  const mimeType = 'multipart/form-data; boundary=xX';
  const part = (head: string, value: string) =>
    `--xX\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
  const text = `${part('name="phone"', '+7 999')}${part('name="scan"; filename="a.png"', 'x')}--xX--\r\n`;
  for (const postData of [
    { mimeType, text },
    { mimeType, params: [{ name: 'phone', value: '+7 999' }] },
  ])
    expect(one({ request: { postData } }).request.body).toMatchObject({ fields: [['phone', '+7 999']] });
});

test('bodies are read from the files beside the recording', () => {
  const file = har(
    entry({
      request: { postData: { mimeType: 'application/json', _file: 'asked.json' } },
      response: { content: { size: 7, mimeType: 'application/json', _file: '../../etc/answer.json' } },
    }),
    entry({ at: 1, response: { content: { size: 7, mimeType: 'text/plain', _file: 'gone.txt' } } }),
  );
  writeFileSync(join(dirname(file), 'asked.json'), '{"phone":"1"}');
  writeFileSync(join(dirname(file), 'answer.json'), '{"id":1}');
  const [first, second] = readHarFile(file);
  expect([first?.request.body, first?.answer.body]).toMatchObject([
    { json: { phone: '1' } },
    { json: { id: 1 } },
  ]);
  expect(second?.answer.body.kind).toBe('unsaved');
});

test('a request without a response has no answer, and the others are read', () => {
  const file = har(
    { ...entry({}), response: undefined },
    { ...entry({ at: 1 }), response: null },
    entry({ at: 2 }),
  );
  expect(readHarFile(file).map(({ answer }) => answer.status)).toEqual([0, 0, 200]);
});

test('cookies are read from headers, or else from their list', () => {
  const fromHeaders = one({
    request: { headers: [{ name: 'Cookie', value: 'a=1; b=2=3' }], cookies: [{ name: 'a', value: '1' }] },
    response: {
      headers: [{ name: 'set-cookie', value: 'a=1; Path=/; HttpOnly\nb=2\nc=4; Path=/\nb=; Max-Age=0' }],
    },
  });
  expect(fromHeaders.request.cookies).toEqual([
    ['a', '1'],
    ['b', '2=3'],
  ]);
  expect(fromHeaders.answer.cookies).toEqual([
    ['a', '1'],
    ['c', '4'],
  ]);
  const listed = one({
    request: { cookies: [{ name: 'a', value: '1' }] },
    response: { cookies: [{ name: 'c', value: '4' }] },
  });
  expect([listed.request.cookies, listed.answer.cookies]).toEqual([[['a', '1']], [['c', '4']]]);
});

test('headers are in lower case, without the pseudo headers of HTTP/2', () => {
  const headers = [
    { name: ':authority', value: 'auth.test' },
    { name: 'Authorization', value: 'Bearer x' },
  ];
  expect(one({ request: { headers } }).request.headers).toEqual([['authorization', 'Bearer x']]);
});

test('a body that was not saved is told from one that was not there', () => {
  expect(one({ response: { content: { size: 12, mimeType: 'application/json' } } }).answer.body.kind).toBe(
    'unsaved',
  );
  expect(one({ request: { bodySize: 12 } }).request.body.kind).toBe('unsaved');
  expect(one({}).answer.body.kind).toBe('none');
});

const wrong: [string, string, string][] = [
  ['a text that is no JSON', '<html>', 'it is not JSON: it is HTML. Please name a HAR file'],
  ['JSON of another kind', '{"log":{}}', 'log.entries is not as in a HAR.'],
  [
    'an entry without an address',
    '{"log":{"entries":[{"request":{}}]}}',
    'log.entries.0.request.method is not as',
  ],
  ['a recording of nothing', '{"log":{"entries":[]}}', 'it has no requests. Please record while you sign in'],
];

test.each(wrong)('%s is refused with the reason', (_what, text, message) => {
  const file = written(text);
  expect(() => readHarFile(file)).toThrow(`Failed to use ${file}: ${message}`);
});

test('a file that is missing or no file is told with the remedy', () => {
  const directory = temporaryFolder();
  expect(() => readHarFile(directory)).toThrow('it is a directory. Please name a HAR file:');
  expect(() => readHarFile(join(directory, 'no.har'))).toThrow(
    'there is no such file. Please name a HAR file:',
  );
});

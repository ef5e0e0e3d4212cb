import { expect, test } from 'vitest';
import { type HttpMessage, HttpReader } from './http-reader.ts';

/** Reads these bytes in pieces of this size. */
function read(text: string, size: number): { heads: string[]; ends: HttpMessage[] } {
  const heads: string[] = [];
  const ends: HttpMessage[] = [];
  const reader = new HttpReader({
    onHead: ({ start }) => heads.push(start),
    onEnd: (message) => ends.push(message),
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  return { heads, ends };
}

const traffic = [
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 9\r\nX-Two: a: b\r\n\r\n{"ä":"1"}'.replace('9', '10'),
  'HTTP/1.1 204 No Content\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n',
  'POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}',
].join('');

for (const size of [1, 7, 10_000])
  test(`messages are read whole from pieces of ${size} bytes`, () => {
    const { heads, ends } = read(traffic, size);
    expect(heads).toEqual([
      'HTTP/1.1 200 OK',
      'HTTP/1.1 204 No Content',
      'HTTP/1.1 200 OK',
      'POST / HTTP/1.1',
    ]);
    expect(ends.map(({ body }) => body)).toEqual(['{"ä":"1"}', '', 'hello world', '{}']);
    expect(ends[0]?.headers).toEqual([
      ['Content-Length', '10'],
      ['X-Two', 'a: b'],
    ]);
  });

test('a message that breaks off has begun, not ended; other bytes pass', () => {
  const { heads, ends } = read('POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab', 4);
  expect([heads, ends]).toEqual([['POST / HTTP/1.1'], []]);
  for (const bytes of ['\u0016\u0003\u0001 TLS', 'HELLO\r\n\r\nPOST / HTTP/1.1\r\n\r\n'])
    expect(read(bytes, 3)).toEqual({ heads: [], ends: [] });
});

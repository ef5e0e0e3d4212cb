import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { whyNotJson } from './why-not-json.ts';

const json = '{"user":"u-1"}';

test.each<[string, string | Buffer]>([
  ['it begins with a byte order mark', `\ufeff${json}`],
  ['it is empty', ''],
  ['it is empty', ' \r\n'],
  ['it is HTML', '<!DOCTYPE html><p>Sign in'],
  ['it is HTML', '\n<html lang="en">'],
  ['it is HTML or XML', '<?xml version="1.0"?><user/>'],
  ['it is compressed by gzip, and no Content-Encoding says so', gzipSync(json)],
  ['it is in UTF-16', Buffer.from(`\ufeff${json}`, 'utf16le')],
  ['it is in UTF-16', Buffer.from(json, 'utf16le')],
  ['it is in UTF-16', Buffer.from(`\ufeff${json}`, 'utf16le').swap16()],
  ['it is not in UTF-8', Buffer.from('{"name":"M\xfcller"', 'latin1')],
  ['something stands before the JSON', `)]}',\n${json}`],
  ['it is a call in JavaScript (JSONP)', `callback(${json})`],
  ['it begins as JSON, and is cut off or malformed', '{"user":"u'],
  ['it is plain text', 'Bad gateway'],
])('a body that is no JSON is named: %s', (what, body) => {
  expect(whyNotJson(Buffer.from(body as string).toString('utf8'))).toBe(`is not JSON: ${what}`);
});

test('JSON is not explained', () => {
  for (const text of [json, 'null', '[]', ' 1']) expect(whyNotJson(text)).toBeUndefined();
});

/**
 * Bytes that are nearly HTTP: requests with broken lines, headers, lengths and chunks, alone or pipelined.
 */

import { bytesOf, type RawInput } from './input.ts';
import type { Rng } from './rng.ts';
import { damage } from './strange.ts';

/** Creates the bytes of one connection. `bodies` contain no call that changes the state of a party. */
export function rawInput(rng: Rng, path: string, bodies: readonly string[]): RawInput {
  const count = rng.pick([1, 1, 1, 2, 3, 5]);
  let bytes = Array.from({ length: count }, () => request(rng, path, bodies)).join('');
  if (rng.oneIn(3)) bytes = damage(bytes, rng);
  if (rng.oneIn(10)) bytes = bytes.slice(0, rng.below(bytes.length + 1));
  if (rng.oneIn(40))
    bytes = Array.from({ length: 1 + rng.below(400) }, () => String.fromCharCode(rng.below(256))).join('');
  const cuts = Array.from({ length: rng.pick([0, 0, 1, 2, 6]) }, () => rng.below(bytes.length + 1));
  return {
    level: 'raw',
    bytes,
    cuts: cuts.sort((a, b) => a - b),
    ending: rng.pick(['wait', 'wait', 'wait', 'wait', 'wait', 'end', 'cut']),
  };
}

function request(rng: Rng, path: string, bodies: readonly string[]): string {
  const body = bytesOf(rng.pick(bodies));
  const [framing, sent] = framed(rng, body);
  const headers = [
    ...(rng.oneIn(12) ? [] : ['Host: localhost']),
    rng.oneIn(4) ? `Content-Type: ${rng.pick(TYPES)}` : 'Content-Type: application/json',
    ...framing,
    ...Array.from({ length: rng.pick([0, 0, 0, 1, 2]) }, () => rng.pick(HEADERS)),
    ...(rng.oneIn(60) ? Array.from({ length: rng.pick([50, 300, 2_100]) }, (_, index) => `X-${index}: ${index}`) : []),
    ...(rng.oneIn(60) ? [`X-Long: ${'x'.repeat(rng.pick([1_000, 15_000, 17_000, 70_000]))}`] : []),
  ];
  const line = `${method(rng)} ${rng.oneIn(4) ? rng.pick(TARGETS) : path} ${rng.oneIn(12) ? rng.pick(VERSIONS) : 'HTTP/1.1'}`;
  const newline = rng.oneIn(30) ? '\n' : '\r\n';
  return `${[line, ...headers].join(newline)}${newline}${newline}${sent}`;
}

function method(rng: Rng): string {
  return rng.oneIn(5) ? rng.pick(METHODS) : 'POST';
}

/** Returns the headers that announce a body and the bytes sent. Mostly they agree. */
function framed(rng: Rng, body: string): [string[], string] {
  return rng.either<[string[], string]>(
    () => [[`Content-Length: ${body.length}`], body],
    () => [[`Content-Length: ${body.length}`], body],
    () => [['Transfer-Encoding: chunked'], chunked(rng, body)],
    () => [['Transfer-Encoding: chunked'], chunked(rng, body)],
    () => [[`Content-Length: ${rng.pick(lengths(body.length))}`], body],
    () => [[`Content-Length: ${body.length}`, `Content-Length: ${rng.pick(lengths(body.length))}`], body],
    () => [[`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked'], chunked(rng, body)],
    () => [[`Transfer-Encoding: ${rng.pick(ENCODINGS)}`], chunked(rng, body)],
    () => [[], body],
  );
}

function lengths(right: number): string[] {
  const near = [0, 1, right - 1, right + 1, right * 2, 2_000_000, 2 ** 31, 2 ** 53, 1e21].map(String);
  return [
    ...near,
    '-1',
    '+5',
    '0x10',
    '1e3',
    '',
    ' ',
    `${right} ${right}`,
    `${right},${right}`,
    `0${right}`,
    '9'.repeat(30),
  ];
}

function chunked(rng: Rng, body: string): string {
  const parts: string[] = [];
  for (let at = 0; at < body.length; ) {
    const size = Math.min(body.length - at, 1 + rng.below(rng.pick([4, 50, 400])));
    const told = rng.oneIn(40) ? rng.pick(['', '-1', 'g', 'ffffffffffffffffff', '0x4', ' 4']) : size.toString(16);
    const extension = rng.oneIn(30) ? rng.pick([';a=b', ';', ';"', ` ;${'x'.repeat(20_000)}`]) : '';
    parts.push(`${told}${extension}\r\n${body.slice(at, at + size)}${rng.oneIn(40) ? '' : '\r\n'}`);
    at += size;
  }
  const trailer = rng.oneIn(15) ? rng.pick(['X: 1\r\n', 'Content-Length: 3\r\n', ':\r\n', 'x\r\n']) : '';
  return `${parts.join('')}${rng.oneIn(20) ? '' : `0\r\n${trailer}\r\n`}`;
}

const METHODS = [
  ...[
    'GET',
    'OPTIONS',
    'HEAD',
    'PUT',
    'DELETE',
    'PATCH',
    'TRACE',
    'CONNECT',
    'PRI',
    'QUERY',
    'post',
    'P\0ST',
    'POST POST',
  ],
  ...['', 'M-SEARCH', 'A'.repeat(300)],
];

const TARGETS = [
  ...[
    '/',
    '*',
    '/healthz',
    '/readyz',
    '/metrics',
    '/1.0-alpha',
    '/1.0-alpha/?x=1',
    '/1.0-alpha//',
    '/2.0/',
    '/../1.0-alpha/',
  ],
  ...[
    '/1.0-alpha/%00',
    '/%',
    '/%ff',
    '/%2e%2e/',
    '//evil.example/',
    'http://evil.example/1.0-alpha/',
    'evil.example:443',
  ],
  ...[
    '/\xff\xfe',
    '/a b',
    '',
    '?',
    '#',
    `/${'a'.repeat(20_000)}`,
    '/1.0-alpha/#x',
    '/__proto__',
    '/constructor',
    '/healthz?x[]=1',
  ],
];

const VERSIONS = ['HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', 'HTTP/1.', 'HTTP/11', 'http/1.1', 'HTTPS/1.1', '', 'HTTP/1.1 x'];

const TYPES = [
  ...['text/plain', 'application/json; charset=utf-16', 'application/json; charset="utf-8"', 'application/json;', ''],
  ...[
    'application/jsonx',
    'APPLICATION/JSON',
    'application/json, text/plain',
    ';;;',
    'multipart/form-data; boundary=x',
  ],
];

const ENCODINGS = [
  'identity',
  'chunked, chunked',
  'gzip, chunked',
  'xchunked',
  'chunked\t',
  '',
  'CHUNKED',
  'chunked;a',
  '\x0bchunked',
];

const HEADERS = [
  ...[
    'Expect: 100-continue',
    'Expect: 200-maybe',
    'Connection: close',
    'Connection: keep-alive, Upgrade',
    'Connection: x',
  ],
  ...[
    'Upgrade: websocket',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABk',
    'Origin: http://localhost:4300',
    'Origin: null',
    'Origin: \xff',
  ],
  ...[
    'Access-Control-Request-Method: POST',
    'Access-Control-Request-Headers: a,b',
    'Access-Control-Request-Headers: a\tb,,',
  ],
  ...[
    'Content-Encoding: gzip',
    'Content-Encoding: identity',
    'Content-Type: text/plain',
    'Host: other',
    'Host: a b',
    'Cookie: a=b',
  ],
  ...[
    'Authorization: Basic eA==',
    'X-Forwarded-For: 1.2.3.4, x',
    'Forwarded: for=x',
    ' folded: value',
    'no colon',
    ': no name',
  ],
  ...[
    'X-Nul: a\0b',
    'X-Cr: a\rb',
    'X\x80: y',
    '__proto__: x',
    'constructor: x',
    'Trailer: Content-Length',
    'TE: trailers',
  ],
  ...[
    'Keep-Alive: timeout=0',
    'Range: bytes=0-',
    'Accept-Encoding: *;q=0',
    'If-None-Match: *',
    'Proxy-Connection: keep-alive',
  ],
];

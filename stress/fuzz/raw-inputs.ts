/** Bytes that are nearly HTTP: requests with broken lines, headers, lengths and chunks, alone and one behind the other. */
import type { Dice } from './dice.ts';
import { bytesOf, type RawInput } from './input.ts';
import { damage } from './strange.ts';

/** Makes what is sent over one connection; `bodies` carry nothing that changes what a party holds. */
export function rawInput(dice: Dice, path: string, bodies: readonly string[]): RawInput {
  const count = dice.pick([1, 1, 1, 2, 3, 5]);
  let bytes = Array.from({ length: count }, () => request(dice, path, bodies)).join('');
  if (dice.oneIn(3)) bytes = damage(bytes, dice);
  if (dice.oneIn(10)) bytes = bytes.slice(0, dice.below(bytes.length + 1));
  if (dice.oneIn(40))
    bytes = Array.from({ length: 1 + dice.below(400) }, () => String.fromCharCode(dice.below(256))).join('');
  const cuts = Array.from({ length: dice.pick([0, 0, 1, 2, 6]) }, () => dice.below(bytes.length + 1));
  return {
    level: 'raw',
    bytes,
    cuts: cuts.sort((a, b) => a - b),
    ending: dice.pick(['wait', 'wait', 'wait', 'wait', 'wait', 'end', 'cut']),
  };
}

function request(dice: Dice, path: string, bodies: readonly string[]): string {
  const body = bytesOf(dice.pick(bodies));
  const [framing, sent] = framed(dice, body);
  const headers = [
    ...(dice.oneIn(12) ? [] : ['Host: localhost']),
    dice.oneIn(4) ? `Content-Type: ${dice.pick(TYPES)}` : 'Content-Type: application/json',
    ...framing,
    ...Array.from({ length: dice.pick([0, 0, 0, 1, 2]) }, () => dice.pick(HEADERS)),
    ...(dice.oneIn(60)
      ? Array.from({ length: dice.pick([50, 300, 2_100]) }, (_, index) => `X-${index}: ${index}`)
      : []),
    ...(dice.oneIn(60) ? [`X-Long: ${'x'.repeat(dice.pick([1_000, 15_000, 17_000, 70_000]))}`] : []),
  ];
  const line = `${method(dice)} ${dice.oneIn(4) ? dice.pick(TARGETS) : path} ${dice.oneIn(12) ? dice.pick(VERSIONS) : 'HTTP/1.1'}`;
  const newline = dice.oneIn(30) ? '\n' : '\r\n';
  return `${[line, ...headers].join(newline)}${newline}${newline}${sent}`;
}

function method(dice: Dice): string {
  return dice.oneIn(5) ? dice.pick(METHODS) : 'POST';
}

/** How a body is announced and what is sent of it; mostly they agree. */
function framed(dice: Dice, body: string): [string[], string] {
  return dice.either<[string[], string]>(
    () => [[`Content-Length: ${body.length}`], body],
    () => [[`Content-Length: ${body.length}`], body],
    () => [['Transfer-Encoding: chunked'], chunked(dice, body)],
    () => [['Transfer-Encoding: chunked'], chunked(dice, body)],
    () => [[`Content-Length: ${dice.pick(lengths(body.length))}`], body],
    () => [[`Content-Length: ${body.length}`, `Content-Length: ${dice.pick(lengths(body.length))}`], body],
    () => [[`Content-Length: ${body.length}`, 'Transfer-Encoding: chunked'], chunked(dice, body)],
    () => [[`Transfer-Encoding: ${dice.pick(ENCODINGS)}`], chunked(dice, body)],
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

function chunked(dice: Dice, body: string): string {
  const parts: string[] = [];
  for (let at = 0; at < body.length; ) {
    const size = Math.min(body.length - at, 1 + dice.below(dice.pick([4, 50, 400])));
    const told = dice.oneIn(40) ? dice.pick(['', '-1', 'g', 'ffffffffffffffffff', '0x4', ' 4']) : size.toString(16);
    const extension = dice.oneIn(30) ? dice.pick([';a=b', ';', ';"', ` ;${'x'.repeat(20_000)}`]) : '';
    parts.push(`${told}${extension}\r\n${body.slice(at, at + size)}${dice.oneIn(40) ? '' : '\r\n'}`);
    at += size;
  }
  const trailer = dice.oneIn(15) ? dice.pick(['X: 1\r\n', 'Content-Length: 3\r\n', ':\r\n', 'x\r\n']) : '';
  return `${parts.join('')}${dice.oneIn(20) ? '' : `0\r\n${trailer}\r\n`}`;
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

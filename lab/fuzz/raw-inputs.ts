/**
 * Bytes that are nearly HTTP: requests with broken lines, headers, lengths and chunks, alone or pipelined.
 */
import fc from 'fast-check';
import { bytesOf, type FuzzedParty, type RawInput } from './input.ts';
import { HARMLESS_BODIES } from './seeds.ts';
import { damaged, listOf } from './strange.ts';

const METHODS = [
  ...listOf('GET¦OPTIONS¦HEAD¦PUT¦DELETE¦TRACE¦CONNECT¦PRI¦QUERY¦post¦P\u0000ST¦POST POST¦¦M-SEARCH'),
  'A'.repeat(300),
];
const TARGETS = [
  ...listOf(
    '/¦*¦/healthz¦/readyz¦/metrics¦/1.0-alpha¦/1.0-alpha/?x=1¦/1.0-alpha//¦/2.0/¦/a b¦¦/../1.0-alpha/',
    '/1.0-alpha/%00¦/%¦/%ff¦/%2e%2e/¦//evil.example/¦http://evil.example/1.0-alpha/¦evil.example:443',
    '/\xff\xfe¦?¦#¦/__proto__¦/constructor¦/healthz?x[]=1',
  ),
  `/${'a'.repeat(20_000)}`,
];
const VERSIONS = [
  'HTTP/1.0',
  'HTTP/2.0',
  'HTTP/0.9',
  'HTTP/1.',
  'HTTP/11',
  'http/1.1',
  'HTTPS/1.1',
  '',
  'HTTP/1.1 x',
];
const TYPES = listOf(
  'text/plain¦application/json; charset=utf-16¦application/json; charset="utf-8"¦application/json;¦',
  'application/jsonx¦APPLICATION/JSON¦application/json, text/plain¦;;;',
  'multipart/form-data; boundary=x',
);
const CODINGS = listOf('identity¦chunked, chunked¦gzip, chunked¦xchunked¦chunked\t¦¦CHUNKED¦\x0bchunked');
const HEADERS = [
  ...listOf(
    'Expect: 100-continue¦Expect: 200-maybe¦Connection: close¦Connection: keep-alive, Upgrade',
    'Connection: x¦Upgrade: websocket¦Upgrade: h2c¦HTTP2-Settings: AAMAAABk',
    'Origin: http://localhost:4300¦Origin: null¦Origin: \xff¦Access-Control-Request-Method: POST',
    'Access-Control-Request-Headers: a\tb,,¦Host: other¦Content-Encoding: gzip¦Content-Type: text/plain',
    'Host: a b¦Cookie: a=b¦Authorization: Basic eA==¦X-Forwarded-For: 1.2.3.4, x¦Forwarded: for=x',
    ' folded: value¦no colon¦: no name¦X-Nul: a\u0000b¦X-Cr: a\rb¦X\x80: y¦__proto__: x',
    'Trailer: Content-Length¦TE: trailers¦Keep-Alive: timeout=0¦Range: bytes=0-¦Accept-Encoding: *;q=0',
    'If-None-Match: *¦Proxy-Connection: keep-alive',
  ),
  ...[1_000, 15_000, 70_000].map((length) => `X-Long: ${'x'.repeat(length)}`),
  ...[50, 300, 2_100].map((count) =>
    Array.from({ length: count }, (_, index) => `X-${index}: ${index}`).join('\r\n'),
  ),
];
const LENGTHS = listOf(
  '-1¦+5¦0x10¦1e3¦¦ ¦1 1¦1,1¦09¦0¦2000000¦9007199254740992¦999999999999999999999999999999',
);

/** The usual value, but for one draw in `times`. */
const mostly = <T>(times: number, usual: T, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: times - 1, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

const chunk = fc.record({
  size: fc.integer({ min: 1, max: 400 }),
  told: mostly<string | undefined>(
    40,
    undefined,
    fc.constantFrom('', '-1', 'g', 'ffffffffffffffffff', '0x4', ' 4'),
  ),
  extension: mostly(30, '', fc.constantFrom(';a=b', ';', ';"', ` ;${'x'.repeat(20_000)}`)),
  end: mostly(40, '\r\n', fc.constant('')),
});
const trailer = fc.constantFrom('', 'X: 1\r\n\r\n', 'Content-Length: 3\r\n\r\n', ':\r\n\r\n');
const coding = fc.tuple(fc.array(chunk, { minLength: 1, maxLength: 6 }), mostly(15, '\r\n', trailer));

type Coding = typeof coding extends fc.Arbitrary<infer T> ? T : never;

function chunked(body: string, [chunks, end]: Coding): string {
  let left = body;
  const parts = chunks.map(({ size, told, extension, end: newline }, index) => {
    const part = index === chunks.length - 1 ? left : left.slice(0, size);
    left = left.slice(part.length);
    return part === '' ? '' : `${told ?? part.length.toString(16)}${extension}\r\n${part}${newline}`;
  });
  return `${parts.join('')}0\r\n${end}`;
}

/** The headers that announce a body, and the bytes that are sent. Mostly they agree. */
const framed = (bodies: readonly string[]): fc.Arbitrary<[string[], string]> =>
  fc
    .tuple(
      fc.constantFrom(...bodies),
      coding,
      fc.constantFrom(...LENGTHS),
      fc.constantFrom(...CODINGS),
      fc.nat(8),
    )
    .map(([text, code, length, other, kind]): [string[], string] => {
      const body = bytesOf(text);
      const right = `Content-Length: ${body.length}`;
      if (kind < 3) return [[right], body];
      if (kind < 5) return [['Transfer-Encoding: chunked'], chunked(body, code)];
      if (kind === 5) return [[`Content-Length: ${length}`], body];
      if (kind === 6) return [[right, `Content-Length: ${length}`], body];
      if (kind === 7) return [[right, 'Transfer-Encoding: chunked'], chunked(body, code)];
      return [[`Transfer-Encoding: ${other}`], chunked(body, code)];
    });

const request = (path: string, bodies: readonly string[]): fc.Arbitrary<string> =>
  fc
    .record({
      method: mostly(5, 'POST', fc.constantFrom(...METHODS)),
      target: mostly(4, path, fc.constantFrom(...TARGETS)),
      version: mostly(12, 'HTTP/1.1', fc.constantFrom(...VERSIONS)),
      host: mostly<string[]>(12, ['Host: localhost'], fc.constant([])),
      type: mostly(4, 'application/json', fc.constantFrom(...TYPES)),
      framing: framed(bodies),
      headers: fc.array(fc.constantFrom(...HEADERS), { maxLength: 2 }),
      newline: mostly(30, '\r\n', fc.constant('\n')),
    })
    .map(({ method, target, version, host, type, framing: [framing, sent], headers, newline }) => {
      const head = [
        `${method} ${target} ${version}`,
        ...host,
        `Content-Type: ${type}`,
        ...framing,
        ...headers,
      ];
      return `${head.join(newline)}${newline}${newline}${sent}`;
    });

/** The bytes of one connection, with bodies that contain no call which changes the state of a party. */
export function rawInputs(party: FuzzedParty, path: string): fc.Arbitrary<RawInput> {
  const requests = fc.array(request(path, HARMLESS_BODIES[party]), {
    minLength: 1,
    maxLength: 4,
    size: 'small',
  });
  return fc.record({
    level: fc.constant('raw' as const),
    bytes: mostly(
      40,
      undefined,
      fc.string({
        unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
        maxLength: 400,
      }),
    ).chain((noise) =>
      noise === undefined ? damaged(requests.map((all) => all.join(''))) : fc.constant(noise),
    ),
    cuts: fc.array(fc.nat(2_000), { maxLength: 4 }).map((cuts) => cuts.sort((a, b) => a - b)),
    ending: fc.constantFrom('wait', 'wait', 'wait', 'wait', 'end', 'cut'),
  });
}

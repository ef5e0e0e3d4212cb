import { describe, expect, test } from 'vitest';
import { clientCall } from '#protocol/testing.ts';
import { proves } from '#testing/proves.ts';
import { chunk, JSON_TYPE, MIB_BYTES, openConnection, requestText, serveCharged } from '../testing.ts';
import { KeptBodies } from './kept-bodies.ts';

const FOR_HANGS = { timeout: 60_000 };
const CHUNKED = { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' };

describe('the room', () => {
  test('an address has eight megabytes, and all addresses have eight times as much', () => {
    const kept = new KeptBodies(MIB_BYTES);
    const fill = (address: string | undefined) => {
      let bodies = 0;
      for (;;) {
        const crowded = kept.open(address).take(1_000_000);
        if (crowded) return [bodies, crowded];
        bodies++;
      }
    };
    for (let address = 0; address < 8; address++) expect(fill(`${address}`)).toEqual([8, 'address']);
    expect(fill(undefined)).toEqual([3, 'all']);
    expect(kept.total).toBe(67 * 1_000_256);
  });

  test('a limit of large bodies leaves room for two of an address', () => {
    const kept = new KeptBodies(64 * MIB_BYTES);
    const body = kept.open('one');
    for (let chunk = 0; chunk < 127; chunk++) expect(body.take(MIB_BYTES)).toBeUndefined();
    expect(body.take(MIB_BYTES)).toBe('address');
    expect(kept.open('two').take(MIB_BYTES)).toBeUndefined();
  });

  test('single bytes count as what they take, until given back', () => {
    const kept = new KeptBodies(MIB_BYTES);
    const body = kept.open('one');
    let bytes = 0;
    while (!body.take(1)) bytes++;
    expect(bytes).toBeLessThan(33_000);
    body.release();
    body.release();
    expect(kept.total).toBe(0);
    expect(kept.open('one').take(MIB_BYTES)).toBeUndefined();
  });
});

/** Begin a body of unknown length with a chunk of so many blanks. */
async function begin(port: number, blanks: number, address = 'one') {
  const connection = await openConnection(port);
  connection.socket.write(requestText('POST /', { ...CHUNKED, 'X-Forwarded-For': address }));
  connection.socket.write(chunk(' '.repeat(blanks)));
  return connection;
}

const call = JSON.stringify(clientCall());

proves(['D2-too-many-429', 'T-client-10'], 'a body of unknown length is charged as it comes', async () => {
  const { port, paid, sumPaid } = await serveCharged([
    undefined,
    undefined,
    { limited: 'address', retryAfterMs: 1_000 },
  ]);
  const { until } = await begin(port, 1_000_000);
  await until(/^HTTP\/1\.1 429 .*"limited":"address"/s);
  expect(paid.length).toBe(3);
  expect(sumPaid()).toBeLessThanOrEqual(9);
});

proves(['T-client-10'], 'a body without a length costs what one with it costs, ended or not', async () => {
  const { port, sumPaid } = await serveCharged();
  const { socket, until } = await begin(port, 1_000_000);
  await expect.poll(sumPaid, FOR_HANGS).toBe(62);
  socket.write('0\r\n\r\n');
  await until(/^HTTP\/1\.1 200 /);
  expect(sumPaid()).toBe(62);
});

proves(['D2-too-many-429', 'T-client-20'], 'unfinished bodies of an address are bounded', async () => {
  const { port } = await serveCharged();
  const bodies = await Promise.all(Array.from({ length: 12 }, () => begin(port, 1_000_000)));
  const refused = () => bodies.filter(({ received }) => received().startsWith('HTTP/1.1 429'));
  await expect.poll(() => refused().length, FOR_HANGS).toBe(4);
  const stranger = await begin(port, 500_000, 'two');
  stranger.socket.write(`${chunk(call)}0\r\n\r\n`);
  await stranger.until(/^HTTP\/1\.1 200 /);
  for (const { socket } of bodies) socket.destroy();
  await expect
    .poll(async () => {
      const again = await begin(port, 1_000_000);
      again.socket.write('0\r\n\r\n');
      return again.until(/^HTTP\/1\.1 \d+/);
    }, FOR_HANGS)
    .toMatch(/^HTTP\/1\.1 200/);
});

proves(['T-client-20'], 'what all addresses leave unfinished is bounded, and whole calls go on', async () => {
  const { port } = await serveCharged();
  const bodies = await Promise.all(
    Array.from({ length: 80 }, (_, index) => begin(port, 1_000_000, `${index % 20}`)),
  );
  const refused = () => bodies.filter(({ received }) => received().startsWith('HTTP/1.1 503'));
  await expect.poll(() => refused().length, FOR_HANGS).toBeGreaterThanOrEqual(80 - 67);
  const [first] = refused();
  expect(await first?.until(/\}$/)).toMatch(/Retry-After: 1\r\n.*"reason":"too_busy"/s);
  const { socket, until } = await openConnection(port);
  socket.write(requestText('POST /', JSON_TYPE, call));
  await until(/^HTTP\/1\.1 200 /);
});

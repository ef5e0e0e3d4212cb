import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientCall, testPipeline } from '#protocol/testing.ts';
import { MAX_BATCH } from '#protocol/wire/envelope.ts';
import { proves } from '#testing/proves.ts';
import type { RateLimited, RateLimiter } from '../limits/rate-limiter.ts';
import { rpcListener } from '../rpc-http.ts';
import { serve } from '../testing.ts';
import { countElements, MAX_ELEMENTS, pointsOf } from './body-cost.ts';

const count = (text: string, limit?: number) => countElements(Buffer.from(text), limit);

describe('counting', () => {
  test('members and elements are counted, each container and what is in it', () => {
    for (const [text, elements] of [
      ['', 0],
      ['1', 0],
      ['"text"', 0],
      ['{}', 1],
      ['[]', 1],
      ['{"a":1}', 1],
      ['{"a":1,"b":[1,2,3]}', 5],
      ['[[1],[2,3]]', 5],
      [' [ 1 , 2 ] ', 2],
    ] as const)
      expect([text, count(text)]).toEqual([text, elements]);
  });

  test('what stands in a string counts for nothing, whatever is escaped in it', () => {
    for (const text of [
      ...['"[{,"', '"a\\",[{"', '"\\\\\\",,,"', '"\\u0022"', '"\\u005b,"', '"жаж[,]"', '"not closed [[[,,,'],
      '"\\',
    ])
      expect([text, count(text)]).toEqual([text, 0]);
    expect(count('{"a\\\\":[1],"{\\"b":"}","c":"\\\\"}')).toBe(4);
  });

  test('counting stops as soon as the limit is passed', () => {
    expect(count(`[${'1,'.repeat(50_000)}1]`)).toBe(MAX_ELEMENTS + 1);
    expect(count('[1,2,3,4,5]', 3)).toBe(4);
    expect(count('[1,2,3]', 3)).toBe(3);
  });

  test('any JSON value counts its members, elements and empty containers', () => {
    const sizeOf = (value: unknown): number => {
      if (typeof value !== 'object' || value === null) return 0;
      const parts = Object.values(value);
      return Math.max(1, parts.length) + parts.reduce<number>((sum, part) => sum + sizeOf(part), 0);
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(count(text, Number.POSITIVE_INFINITY)).toBe(sizeOf(JSON.parse(text)));
      }),
    );
  });
});

test('a usual call costs one point, and none more than a batch', () => {
  expect(pointsOf(0, 0)).toBe(1);
  expect(pointsOf(400, 30)).toBe(1);
  expect(pointsOf(16 * 1024 + 1, 1)).toBe(2);
  expect(pointsOf(2_000, 101)).toBe(2);
  expect(pointsOf(1024 * 1024, 1)).toBe(64);
  expect(pointsOf(1024 * 1024, MAX_ELEMENTS + 1)).toBe(MAX_BATCH);
  expect(pointsOf(64 * 1024 * 1024, 0)).toBe(MAX_BATCH);
});

const MIB_BYTES = 1024 * 1024;

async function endpoint(verdicts: (RateLimited | undefined)[] = []) {
  const { pipeline, trace } = testPipeline('string');
  const parsed: string[] = [];
  const paid: number[] = [];
  const limiter: RateLimiter = {
    async admit(_request, points = 1) {
      paid.push(points);
      return verdicts.shift();
    },
    async admitCalls(_request, calls, points) {
      paid.push(Math.max(0, calls.length - points));
      return undefined;
    },
    addressOf: () => 'address',
    reject: (_request, limited, retryAfterMs) => ({ limited, retryAfterMs }),
    isNear: () => false,
  };
  const { url } = await serve(
    rpcListener({
      pipeline(body, calledOn) {
        parsed.push(body.text);
        return pipeline(body, calledOn);
      },
      channel: 'any',
      origins: new Set(),
      bodyLimit: MIB_BYTES,
      limiter,
    }),
  );
  const post = async (body: string | ReadableStream) => {
    const reply = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
      ...(typeof body !== 'string' && { duplex: 'half' }),
    } as RequestInit);
    return { status: reply.status, body: JSON.parse(await reply.text()) };
  };
  return { post, parsed, paid, trace };
}

const names = (length: number) => `{${Array.from({ length }, (_, index) => `"n${index}":1`).join()}}`;
const callWith = (extra: string) => `${JSON.stringify(clientCall()).slice(0, -1)},"extra":${extra}}`;

const BODIES: [shape: string, body: string][] = [
  ['distinct names', names(80_000)],
  ['integers for names', names(80_000).replaceAll('"n', '"')],
  ['elements', `[${'0,'.repeat(500_000)}0]`],
  ['empty objects', `[${'{},'.repeat(300_000)}{}]`],
  ['brackets without end', '['.repeat(MIB_BYTES)],
];

test.each(BODIES)('a body of a megabyte of %s has too many parts', (_shape, body) => {
  expect(body.length).toBeLessThanOrEqual(MIB_BYTES);
  expect(count(body)).toBe(MAX_ELEMENTS + 1);
});

proves(['D2-too-large-413', 'T-client-8'], 'a call of too many parts is refused before parsing', async () => {
  const { post, parsed, paid, trace } = await endpoint();
  expect(await post(callWith(names(MAX_ELEMENTS)))).toEqual({
    status: 413,
    body: {
      error: {
        status: 413,
        reason: 'too_large',
        message: `The body has more than ${MAX_ELEMENTS} members and elements.`,
        limit: MAX_ELEMENTS,
      },
    },
  });
  expect([parsed, trace]).toEqual([[], []]);
  // The request is refused, and charged nevertheless.
  expect(paid.reduce((sum, points) => sum + points)).toBe(MAX_BATCH);
});

test('a dear body is answered, and paid by its size and parts', async () => {
  const { post, paid } = await endpoint();
  expect(await post(callWith(names(1_000)))).toMatchObject({ status: 200, body: { result: { n: 1 } } });
  expect(paid).toEqual([1, 10, 0]);
  paid.splice(0);
  expect(await post(callWith(`"${'x'.repeat(100_000)}"`))).toMatchObject({ status: 200 });
  // The announced length decides, before anything of the body is read.
  expect(paid).toEqual([7, 0]);
});

test('a whole batch costs what it has calls, and not its parts besides', async () => {
  const { post, paid } = await endpoint();
  const batch = JSON.stringify(new Array(MAX_BATCH).fill(clientCall()));
  expect((await post(batch)).status).toBe(200);
  expect(paid.reduce((sum, points) => sum + points)).toBe(MAX_BATCH);
});

test('a body that comes without its length is paid for as it comes', async () => {
  const { post, paid } = await endpoint();
  const body = callWith(`"${'x'.repeat(100_000)}"`);
  expect((await post(new Blob([body]).stream())).status).toBe(200);
  expect(paid[0]).toBe(1);
  expect(paid.reduce((sum, points) => sum + points)).toBe(7);
});

proves(['D2-too-many-429', 'T-client-10'], 'a body that cannot be paid for is not parsed', async () => {
  const { post, parsed } = await endpoint([undefined, { limited: 'address', retryAfterMs: 1_000 }]);
  expect(await post(callWith(names(1_000)))).toMatchObject({
    status: 429,
    body: { error: { limited: 'address' } },
  });
  expect(parsed).toEqual([]);
});

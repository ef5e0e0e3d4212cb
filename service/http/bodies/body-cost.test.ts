import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientCall } from '#protocol/testing.ts';
import { MAX_BATCH } from '#protocol/wire/envelope.ts';
import { proves } from '#testing/proves.ts';
import { MIB_BYTES, serveCharged } from '../testing.ts';
import { countElements, MAX_ELEMENTS, pointsOf } from './body-cost.ts';

const count = (text: string, limit?: number) => countElements(Buffer.from(text), limit);

describe('counting', () => {
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
  const { post, exchanges, sumPaid } = await serveCharged();
  const reply = await post(callWith(names(MAX_ELEMENTS)));
  expect([reply.status, (await reply.json()).error]).toEqual([
    413,
    {
      status: 413,
      reason: 'too_large',
      message: `The body has more than ${MAX_ELEMENTS} members and elements.`,
      limit: MAX_ELEMENTS,
    },
  ]);
  expect(exchanges).toEqual([]);
  // The request is refused, and charged nevertheless.
  expect(sumPaid()).toBe(MAX_BATCH);
});

test('a dear body is answered, and paid by its size and parts', async () => {
  const { post, paid } = await serveCharged();
  expect((await (await post(callWith(names(1_000)))).json()).result).toEqual({ n: 1 });
  expect(paid).toEqual([1, 10, 0]);
  paid.splice(0);
  expect(await post(callWith(`"${'x'.repeat(100_000)}"`))).toMatchObject({ status: 200 });
  // The announced length decides, before anything of the body is read.
  expect(paid).toEqual([7, 0]);
});

test('a whole batch costs what it has calls, and not its parts besides', async () => {
  const { post, sumPaid } = await serveCharged();
  const batch = JSON.stringify(new Array(MAX_BATCH).fill(clientCall()));
  expect((await post(batch)).status).toBe(200);
  expect(sumPaid()).toBe(MAX_BATCH);
});

proves(['D2-too-many-429', 'T-client-10'], 'a body that cannot be paid for is not parsed', async () => {
  const { post, exchanges } = await serveCharged([undefined, { limited: 'address', retryAfterMs: 1_000 }]);
  const reply = await post(callWith(names(1_000)));
  expect([reply.status, (await reply.json()).error.limited]).toEqual([429, 'address']);
  expect(exchanges).toEqual([]);
});

import { expect, test } from 'vitest';
import { idsInTrace } from '../../journal/headers.ts';
import { Traces } from './traces.ts';

const RUN = { seed: 7, startedAt: 1_000 };
const HEADERS: [string, string][] = [['accept', 'application/json']];

/** The trace id and the parent id of the next request of a step. */
const idsOf = (traces: Traces, step: number) => idsInTrace(traces.added(HEADERS, step).at(-1)?.[1] ?? '');

test('each request gets one well-formed header beside its own', () => {
  const headers = new Traces(RUN).added(HEADERS, 3);
  expect(headers).toEqual([
    ...HEADERS,
    ['traceparent', expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)],
  ]);
});

test('requests of one step share a trace and differ in their parent', () => {
  const traces = new Traces(RUN);
  const [[first, parent], [second, otherParent]] = [idsOf(traces, 3), idsOf(traces, 3)];
  expect(second).toBe(first);
  expect(otherParent).not.toBe(parent);
  expect(idsOf(traces, 4)[0]).not.toBe(first);
});

test('a trace is repeated by seed and start together alone', () => {
  const [first] = idsOf(new Traces(RUN), 3);
  expect(idsOf(new Traces(RUN), 3)[0]).toBe(first);
  expect(idsOf(new Traces({ ...RUN, seed: 8 }), 3)[0]).not.toBe(first);
  expect(idsOf(new Traces({ ...RUN, startedAt: 1_001 }), 3)[0]).not.toBe(first);
});

test('no id has four digits in a row, which could be a code', () => {
  const traces = new Traces(RUN);
  const ids = Array.from({ length: 500 }, (_, step) => idsOf(traces, step)).flat();
  expect(ids).toHaveLength(1_000);
  expect(ids.filter((id) => /\d{4}/.test(id))).toEqual([]);
});

test.each([
  ['a trace of its own', 'traceparent', 'mine'],
  ['an Origin, as a page sends it', 'origin', 'https://a.example'],
])('a request with %s gets no further header', (_what, name, value) => {
  const headers: [string, string][] = [[name, value]];
  expect(new Traces(RUN).added(headers, 1)).toEqual(headers);
});

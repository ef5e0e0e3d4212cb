import { expect, test } from 'vitest';
import { type ExchangeEntry, entrySchema, type Link } from './entry.ts';
import { openRecorder, request } from './testing/exchanges.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const HEADER = `00-${TRACE}-00f067aa0ba902b7-01`;

/** The entry of a request with this header, as the journal shows it. */
function recorded(value: string, { link = 'client->auth' as Link, secret = '' } = {}): ExchangeEntry {
  const recorder = openRecorder();
  if (secret !== '') recorder.knowledge.pseudonyms.learn('session-token', secret);
  const sent = request({ headers: [['Traceparent', value]], path: `/${TRACE}` });
  recorder.exchange({ link, request: sent }).end();
  return recorder.entries()[0] as ExchangeEntry;
}

test.each<Link>(['client->auth', 'client->ehr', 'auth->ehr'])(
  'the trace of a request on %s is named',
  (link) => {
    const entry = recorded(HEADER, { link });
    expect(entry.trace).toBe(TRACE);
    expect(entry.request.headers).toEqual([['Traceparent', HEADER]]);
    expect(entrySchema.parse(entry)).toMatchObject({ trace: TRACE });
  },
);

test.each([
  ['another version', `01-${TRACE}-00f067aa0ba902b7-01`],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
  ['a parent id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['something behind it', `${HEADER}-more`],
  ['no ids', 'mine'],
])('a header with %s names no trace', (_what, value) => {
  expect(recorded(value).trace).toBeUndefined();
});

test('a secret in the place of an id stays hidden', () => {
  const entry = recorded(HEADER, { secret: TRACE });
  expect(entry.trace).toBeUndefined();
  expect(JSON.stringify(entry)).not.toContain(TRACE);
  const parent = recorded(HEADER, { secret: '00f067aa0ba902b7' });
  expect(JSON.stringify(parent.request.headers)).not.toContain('00f067aa0ba902b7');
});

test('a journal without traces can still be read', () => {
  const { trace: _, ...older } = recorded(HEADER);
  expect(entrySchema.safeParse(older).success).toBe(true);
  expect(entrySchema.safeParse({ ...older, trace: 'mine' }).success).toBe(false);
});

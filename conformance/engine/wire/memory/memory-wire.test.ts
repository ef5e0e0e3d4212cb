import { expect, test } from 'vitest';
import { manualClock, systemClock } from '#protocol/time/clock.ts';
import type { Entry, ExchangeEntry } from '../../journal/entry.ts';
import { openRecorder } from '../../journal/testing/exchanges.ts';
import type { Fault } from '../faults.ts';
import { memoryWire } from './memory-wire.ts';

const REPLY = JSON.stringify({ jsonrpc: '2.0', result: { done: true }, id: '7' });
const CALL = JSON.stringify({ jsonrpc: '2.0', id: '7', method: 'patient.get_patient', params: {} });

/** A wire before a server that counts its calls. @param clock by which slow faults wait */
function wireBed(clock = systemClock) {
  const recorder = openRecorder(clock);
  const exchanges: ExchangeEntry[] = [];
  const left: (string | undefined)[] = [];
  recorder.onLeave(({ fault }) => left.push(fault));
  recorder.onEntry((entry: Entry) => entry.kind === 'exchange' && exchanges.push(entry));
  let served = 0;
  const wire = memoryWire({
    ...{ link: 'client->ehr', url: 'http://ehr.invalid', recorder, clock },
    answer: async () => {
      served++;
      const headers: [string, string][] = [['content-type', 'application/json']];
      return { status: 200, headers, body: new TextEncoder().encode(REPLY) };
    },
  });
  const call = async (signal?: AbortSignal) => {
    const response = await wire.fetch('http://ehr.invalid/1.0/', {
      method: 'POST',
      body: CALL,
      headers: { 'content-type': 'application/json' },
      ...(signal && { signal }),
    });
    return [response.status, await response.text()];
  };
  /** What the caller sees of a call that meets the fault, and the journal. */
  const meeting = async (fault: Fault) => {
    wire.arm({ fault });
    return call().catch((error: Error) => error.name);
  };
  return { wire, call, meeting, exchanges, left, served: () => served };
}

test('a call crosses with its request and reply, like one over a socket', async () => {
  const { call, exchanges } = wireBed();
  expect(await call()).toEqual([200, REPLY]);
  expect(exchanges).toMatchObject([
    {
      link: 'client->ehr',
      request: {
        method: 'POST',
        path: '/1.0/',
        body: CALL,
        headers: [
          ['host', 'ehr.invalid'],
          ['content-type', 'application/json'],
          ['content-length', String(CALL.length)],
        ],
      },
      response: { status: 200, body: REPLY },
    },
  ]);
  expect(exchanges[0]?.fault).toBeUndefined();
});

const BREAKS = 'TypeError';
const NO_REPLY = { broke: 'reset' };

test.each<[Fault, unknown, served: number, journal: object]>([
  [{ name: 'down' }, BREAKS, 0, NO_REPLY],
  [{ name: 'reset' }, BREAKS, 0, NO_REPLY],
  [{ name: 'http-500' }, [500, expect.stringContaining('internal_error')], 0, { response: { status: 500 } }],
  [{ name: 'status-204' }, [204, ''], 0, { response: { status: 204 } }],
  [{ name: 'reply-lost' }, BREAKS, 1, { broke: 'closed-early', response: { body: REPLY } }],
  [{ name: 'truncate' }, BREAKS, 1, { broke: 'closed-early', response: { body: REPLY } }],
  [{ name: 'wrong-id' }, [200, expect.stringContaining('7-another')], 1, {}],
  [{ name: 'huge' }, [200, expect.stringMatching(/^ {1000}/)], 1, { response: { body: REPLY } }],
  [{ name: 'late', delay: 0 }, [200, REPLY], 1, { response: { body: REPLY } }],
  [{ name: 'split-reply', delay: 0 }, [200, REPLY], 1, { response: { body: REPLY } }],
])('%o changes one call, and the journal names it', async (fault, seen, count, journal) => {
  const { call, meeting, exchanges, served } = wireBed();
  expect(await meeting(fault)).toEqual(seen);
  expect(served()).toBe(count);
  expect(exchanges).toMatchObject([{ fault: fault.name, ...journal }]);
  expect(await call()).toEqual([200, REPLY]);
});

test.each(['hang', 'trickle'] as const)('%s holds a call until it is switched off', async (name) => {
  const { wire, call, exchanges, left } = wireBed();
  const disarm = wire.arm({ fault: { name } });
  const held = call().catch((error: Error) => error.name);
  await call();
  expect(exchanges).toHaveLength(1);
  expect(left).toEqual([name, undefined]);
  disarm();
  expect(await held).toBe(BREAKS);
  expect(exchanges[1]).toMatchObject({ fault: name, broke: 'closed-early' });
});

test('a caller who leaves ends the exchange', async () => {
  const { wire, call, exchanges } = wireBed();
  wire.arm({ fault: { name: 'hang' } });
  const leaving = new AbortController();
  const left = call(leaving.signal).catch((error: Error) => error.message);
  leaving.abort(new Error('The time is up.'));
  expect(await left).toBe('The time is up.');
  expect(exchanges).toMatchObject([{ fault: 'hang', broke: 'closed-early' }]);
});

test('a late reply waits on the clock of the wire', async () => {
  const clock = manualClock();
  const { wire, call, exchanges } = wireBed(clock);
  wire.arm({ fault: { name: 'late', delay: 3_000 } });
  const late = call();
  await call();
  clock.advance(2_999);
  expect(exchanges).toHaveLength(1);
  clock.advance(1);
  expect(await late).toEqual([200, REPLY]);
});

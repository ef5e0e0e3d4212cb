import { expect, test } from 'vitest';
import type { Failure, Outcome } from '../calls.ts';
import { refused } from '../flow/testing/walk.ts';
import { createWireLog, MAX_ENTRIES, patientFieldsSentTo, type WireLog } from './wire-log.ts';

const request = {
  params: { patientProperties: { name: 'Anna', date: '1985-04-12' }, exchangeToken: 'short' },
};
const send = (log: WireLog, id: number, server: 'auth' | 'ehr' = 'ehr', body: object = request) =>
  log.observe({ id, server, method: 'm', request: body, phase: 'sent', at: 100 });
const settle = (log: WireLog, id: number, outcome: Outcome, reply?: unknown) =>
  log.observe({ id, server: 'ehr', method: 'm', request, phase: 'settled', at: 112, reply, outcome });
const failed = (failure: Failure): Outcome => ({ ok: false, failure });

test('a call shows masked when sent, and is completed when settled', () => {
  const log = createWireLog();
  send(log, 1);
  expect(log.entries()).toMatchObject([
    { id: 1, server: 'ehr', state: 'pending', duration: undefined, patientFields: ['name', 'date'] },
  ]);
  expect(JSON.stringify(log.entries())).not.toMatch(/Anna|1985|short/);
  settle(log, 1, { ok: true, result: {} }, { result: { patient: { name: 'Anna' } } });
  expect(log.entries()).toMatchObject([
    { id: 1, state: 'ok', failure: undefined, duration: 12, reply: { result: {} } },
  ]);
  expect(JSON.stringify(log.entries())).not.toContain('Anna');
});

test('how a call ended is kept', () => {
  const endings: [Failure, string][] = [
    [refused('ehr', 'patient_not_matched'), 'refused'],
    [{ ...refused('ehr', 'not_authorized'), reason: undefined } as Failure, 'refused'],
    // A server that says that it, or the one behind it, is in trouble.
    [refused('ehr', 'internal_error'), 'failed'],
    [refused('auth', 'ehr_timeout'), 'failed'],
    [refused('auth', 'ehr_refused'), 'refused'],
    [{ kind: 'unreachable', server: 'ehr' }, 'failed'],
    [{ kind: 'timeout', server: 'ehr' }, 'failed'],
    [{ kind: 'nonsense', server: 'ehr' }, 'failed'],
    [{ kind: 'http', server: 'ehr', status: 503 }, 'failed'],
  ];
  for (const [failure, state] of endings) {
    const log = createWireLog();
    send(log, 1);
    settle(log, 1, failed(failure));
    expect(log.entries()).toMatchObject([{ state, failure, reply: undefined }]);
  }
});

test('what each server learnt about the patient is told once', () => {
  const log = createWireLog();
  send(log, 1, 'auth', { params: { phone: '79990000001' } });
  send(log, 2);
  send(log, 3);
  expect(patientFieldsSentTo('auth', log.entries())).toEqual([]);
  expect(patientFieldsSentTo('ehr', log.entries())).toEqual(['name', 'date']);
});

test('whoever subscribes is woken by each change until it is enough', () => {
  const log = createWireLog();
  let woken = 0;
  const end = log.subscribe(() => woken++);
  send(log, 1);
  settle(log, 1, { ok: true, result: {} });
  end();
  send(log, 2);
  expect(woken).toBe(2);
});

test('old entries make room', () => {
  const log = createWireLog();
  for (let id = 1; id <= MAX_ENTRIES + 1; id++) send(log, id);
  expect(log.entries()).toHaveLength(MAX_ENTRIES);
  expect(log.entries()[0]?.id).toBe(2);
});

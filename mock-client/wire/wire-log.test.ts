import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Failure, Outcome } from '../calls.ts';
import { CANARIES, patient, refused } from '../flow/testing/walk.ts';
import {
  createWireLog,
  MASK,
  MAX_ENTRIES,
  mask,
  patientFields,
  patientFieldsSentTo,
  type WireLog,
} from './wire-log.ts';

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

const LONG = 'abcdefghijklmnopqrstuvwxyz0123456789';

test('a long secret shows its last four characters, a short one nothing', () => {
  expect(
    mask({ cred: { user: 'u-1', token: LONG }, params: { user_sign: LONG, exchangeToken: 'short' } }),
  ).toEqual({
    cred: { user: MASK, token: `${MASK}6789` },
    params: { user_sign: `${MASK}6789`, exchangeToken: MASK },
  });
});

test('a code is a secret in a request and a number in an error', () => {
  const error = {
    code: -36003,
    message: 'no',
    data: { reason: 'ehr_refused', errors: ['a'], ehr: { code: -34007, reason: 'x' } },
  };
  expect(mask({ params: { code: '402913', phone: '79990000001' }, error })).toEqual({
    params: { code: MASK, phone: MASK },
    error,
  });
});

test('the envelope and the counts stay readable', () => {
  const message = {
    jsonrpc: '2.0',
    id: 7,
    method: 'auth.request_otp',
    result: { digits: 6, expiresIn: 300, resendAfter: 30, linked: true },
  };
  expect(mask(message)).toEqual(message);
});

test('of a patient only the names of the members show', () => {
  expect(mask({ result: { patient, user_sign: LONG } })).toEqual({
    result: {
      patient: Object.fromEntries(
        Object.entries(patient).map(([name, value]) => [
          name,
          Array.isArray(value) ? value.map(() => MASK) : MASK,
        ]),
      ),
      user_sign: `${MASK}6789`,
    },
  });
});

test('no value of a patient shows, wherever a patient stands', () => {
  const inner = {
    id: 'CanaryId',
    method: 'CanaryMethod',
    message: 'CanaryMessage',
    token: `Canary${LONG}`,
    list: [{ reason: 'CanaryReason' }],
  };
  for (const message of [
    { patient: inner },
    { params: { patientProperties: inner } },
    { error: { patient: inner } },
    [{ patient: [inner] }],
  ]) {
    const shown = JSON.stringify(mask(message));
    for (const canary of CANARIES) expect(shown).not.toContain(canary);
  }
});

test('a value that the tables do not know is masked', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^x[a-z]{1,8}$/),
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
      (name, value) => {
        expect(mask({ result: { [name]: value } })).toEqual({ result: { [name]: MASK } });
      },
    ),
  );
});

test('the patient properties of a message are told by name', () => {
  expect(
    patientFields({ params: { exchangeToken: 'x', patientProperties: { name: 'a', date: 'b' } } }),
  ).toEqual(['name', 'date']);
  expect(
    patientFields({
      params: { patientProperties: { searchStrategy: 'MEDCARD', phone: '1' }, medCardId: 'A' },
    }),
  ).toEqual(['phone', 'medCardId']);
  expect(patientFields({ params: { phone: '79990000001', code: '1' } })).toEqual([]);
  expect(patientFields([{ params: { patientProperties: { surname: 'a' } } }])).toEqual(['surname']);
});

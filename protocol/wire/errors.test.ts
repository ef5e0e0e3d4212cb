import { expect, test } from 'vitest';
import { errorTable, isReason, type Reason, RpcError } from './errors.ts';

test('each reason has the number that was decided', () => {
  const codes = Object.fromEntries(Object.entries(errorTable).map(([reason, { code }]) => [reason, code]));
  expect(codes).toEqual({
    parse_error: -32700,
    invalid_request: -32600,
    method_not_found: -32601,
    invalid_params: -32602,
    internal_error: -32603,
    not_authorized: -33000,
    session_expired: -33001,
    exchange_token_unknown: -33000,
    exchange_token_expired: -33001,
    exchange_token_exhausted: -33002,
    too_many_failed_matches: -33003,
    access_forbidden: -33403,
    patient_already_matched: -34000,
    patient_not_matched: -34001,
    token_already_stored: -34003,
    exchange_token_already_stored: -34004,
    user_unknown: -34007,
    patient_already_linked: -34009,
    otp_wrong: -35000,
    otp_expired: -35001,
    otp_exhausted: -35002,
    otp_throttled: -35003,
    otp_limit_reached: -35004,
    ehr_unreachable: -36000,
    ehr_timeout: -36001,
    ehr_bad_reply: -36002,
    ehr_refused: -36003,
  });
});

test('each reason has a sentence for the public and an account', () => {
  const rows = Object.values(errorTable);
  expect(new Set(rows.map(({ message }) => message)).size).toBe(rows.length);
  expect(new Set(rows.map(({ when }) => when)).size).toBe(rows.length);
  for (const { message, when } of rows) {
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(when).toMatch(/^[a-z`].*[^.]$/);
  }
});

test('an error on the wire is its code, its sentence and its reason', () => {
  for (const reason of Object.keys(errorTable) as Reason[]) {
    const { code, message } = errorTable[reason];
    expect(new RpcError(reason).toObject()).toStrictEqual({ code, message, data: { reason } });
  }
});

test('an error carries its faults, and what the EHR server said', () => {
  const errors = ['params.ttl: must be at least 1'];
  const ehr = { code: -34003, reason: 'token_already_stored' };
  expect(new RpcError('invalid_params', { errors }).toObject().data).toStrictEqual({
    reason: 'invalid_params',
    errors,
  });
  expect(new RpcError('ehr_refused', { ehr }).toObject().data).toStrictEqual({ reason: 'ehr_refused', ehr });
});

test('the cause of an error stays with it and never goes on the wire', () => {
  const cause = new Error('SELECT * FROM sessions failed at /srv/ehr.sqlite');
  const error = new RpcError('internal_error', { cause });
  expect(error.cause).toBe(cause);
  expect(error).toMatchObject({ name: 'RpcError', message: errorTable.internal_error.message });
  expect(JSON.stringify(error.toObject())).not.toMatch(/SELECT|sqlite|stack|cause/);
});

test('only names of the table are reasons', () => {
  expect(isReason('session_expired')).toBe(true);
  for (const value of [
    'toString',
    '__proto__',
    'constructor',
    '',
    undefined,
    null,
    -33000,
    ['session_expired'],
  ])
    expect(isReason(value)).toBe(false);
});

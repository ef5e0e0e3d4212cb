import { expect, test } from 'vitest';
import type { CallReport } from '#protocol/methods/pipeline.ts';
import { createLog, type LogLevel, logCall } from './log.ts';

const SECRET = 's3cr3t';
const MEMBERS = [
  ...['token', 'exchangeToken', 'authInfo', 'cred', 'password', 'internalPassword', 'code'],
  ...['user_sign', 'userSign', 'ehr_user_sign'],
  ...['params', 'result', 'request', 'reply', 'body', 'to', 'text'],
  ...['patient', 'patientProperties', 'name', 'surname', 'middleName', 'date', 'birthdate', 'gender'],
  ...['phone', 'phones', 'email', 'address', 'medCardId', 'medcardNumber'],
];

function recordingLog(level: LogLevel = 'debug') {
  const texts: string[] = [];
  const log = createLog('ehr-server', level, { write: (text) => void texts.push(text) });
  return { log, texts, lines: () => texts.map((text) => JSON.parse(text)) };
}

test('each secret member is removed from a line, three levels deep', () => {
  for (const member of MEMBERS)
    for (const value of [SECRET, { inner: SECRET }, [SECRET]]) {
      const { log, texts, lines } = recordingLog();
      log.info({ [member]: value, kept: 1 }, 'top');
      log.info({ a: { [member]: value, kept: 1 } }, 'below');
      log.info({ a: { b: { [member]: value, kept: 1 } }, list: [{ [member]: value }] }, 'further below');
      expect([member, texts.join('')]).toEqual([member, expect.not.stringContaining(SECRET)]);
      expect(lines()).toMatchObject([
        { [member]: '[removed]', kept: 1, msg: 'top' },
        { a: { [member]: '[removed]', kept: 1 }, msg: 'below' },
        { a: { b: { [member]: '[removed]', kept: 1 } }, msg: 'further below' },
      ]);
    }
});

test('a line is JSON and names its party', () => {
  const { log, lines } = recordingLog();
  log.warn({ purged: 3 }, 'purged expired rows');
  expect(lines()).toEqual([
    { level: 40, time: expect.any(Number), party: 'ehr-server', purged: 3, msg: 'purged expired rows' },
  ]);
});

test('an error is logged by kind, message, stack and code alone', () => {
  const { log, texts, lines } = recordingLog();
  const cause = Object.assign(new Error('disk is full'), {
    token: SECRET,
    deep: { deeper: { deepest: { phone: SECRET } } },
  });
  const err = Object.assign(new TypeError('save failed', { cause }), {
    code: 'SQLITE_FULL',
    errno: SECRET,
    params: { name: SECRET },
  });
  log.error({ err }, 'call failed');
  log.error({ err: SECRET }, 'call failed');
  const [first, second] = lines();
  expect(first.err).toEqual({
    type: 'TypeError',
    message: expect.stringContaining('save failed'),
    stack: expect.stringContaining('disk is full'),
    errorCode: 'SQLITE_FULL',
  });
  expect(second.err).toEqual({ type: 'string' });
  expect(texts.join('')).not.toContain(SECRET);
});

test('a level is written from itself up, and silent writes nothing', () => {
  for (const [level, written] of [
    ['silent', []],
    ['error', ['error']],
    ['warn', ['warn', 'error']],
    ['info', ['info', 'warn', 'error']],
    ['debug', ['debug', 'info', 'warn', 'error']],
  ] as const) {
    const { log, lines } = recordingLog(level);
    for (const name of ['debug', 'info', 'warn', 'error'] as const) log[name](name);
    expect([level, lines().map(({ msg }) => msg)]).toEqual([level, written]);
  }
});

test('a call is one line: its method, if known, channel and outcome', () => {
  const known = { 'patient.get_patient': {} };
  const report = (more: Partial<CallReport>): CallReport => ({
    method: 'patient.get_patient',
    channel: 'public',
    reason: undefined,
    ...more,
  });
  const { log, lines } = recordingLog();
  logCall(log, report({}), known);
  logCall(log, report({ reason: 'session_expired', cause: new Error(SECRET) }), known);
  logCall(log, report({ reason: 'internal_error', cause: new Error('disk is full') }), known);
  // A name that is not one of ours is not logged: it may be anything.
  const unknown = [SECRET, 'toString', '__proto__', 'constructor', ''];
  for (const method of unknown) logCall(log, report({ method, reason: 'method_not_found' }), known);
  const line = {
    time: expect.any(Number),
    party: 'ehr-server',
    method: 'patient.get_patient',
    channel: 'public',
  };
  expect(lines()).toEqual([
    { ...line, level: 30, msg: 'call answered' },
    { ...line, level: 30, reason: 'session_expired', msg: 'call refused' },
    {
      ...line,
      level: 50,
      reason: 'internal_error',
      msg: 'call failed',
      err: expect.objectContaining({ message: 'disk is full' }),
    },
    ...unknown.map(() => ({
      ...line,
      level: 30,
      method: '(unknown)',
      reason: 'method_not_found',
      msg: 'call refused',
    })),
  ]);
});

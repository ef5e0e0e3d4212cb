import { expect, test } from 'vitest';
import { errorTable } from '../wire/errors.ts';
import { DIGEST_SHAPE } from '../wire/hashes.ts';
import { authMethods } from './auth-methods.ts';
import { ehrMethods } from './ehr-methods.ts';
import { commonReasons, type MethodSpec, type MethodTable, reasonsOf } from './method-spec.ts';

const tables: Record<string, MethodTable> = { ehrMethods, authMethods };
const all: [string, MethodSpec][] = Object.values(tables).flatMap((table) => Object.entries(table));

test('the EHR server has six methods on their channels, and discovery', () => {
  expect(
    Object.entries(ehrMethods).map(([name, { clause, access, cred }]) => [name, clause, access, cred]),
  ).toEqual([
    ['embedded_storage.save_auth_info', '§4.1', 'internal', 'user_sign_digest'],
    ['embedded_storage.save_exchange_token', '§4.2', 'internal', 'exchange_token_digest'],
    ['embedded_storage.authenticate', '§4.3', 'client', 'none'],
    ['patient.get_patient', '§4.4', 'client', 'session'],
    ['embedded_storage.remove_auth_info', '§4.5', 'client', 'session'],
    ['embedded_storage.remove_authentication', '§4.6', 'client', 'session'],
    ['rpc.discover', 'OpenRPC 1.3', 'open', 'none'],
  ]);
});

test('the authorization server has its methods, with sessions where needed', () => {
  expect(Object.entries(authMethods).map(([name, { access, cred }]) => [name, access, cred])).toEqual([
    ['auth.request_otp', 'client', 'none'],
    ['auth.confirm_otp', 'client', 'none'],
    ['auth.exchange_token', 'client', 'session'],
    ['auth.report_link', 'client', 'session'],
    ['auth.logout', 'client', 'session'],
    ['auth.delete_user', 'client', 'session'],
    ['auth.login', 'client', 'none'],
  ]);
});

test('every example fits its schemas to the last member', () => {
  for (const [name, { example, params, result }] of all) {
    expect([name, params.parse(example.params)]).toStrictEqual([name, example.params]);
    expect([name, result.parse(example.result)]).toStrictEqual([name, example.result]);
  }
});

test('every example has the cred that its method calls for', () => {
  for (const [name, { example, cred }] of all) {
    expect([name, example.cred !== undefined]).toEqual([name, cred !== 'none']);
    if (cred.endsWith('digest')) expect(example.cred?.token, name).toMatch(DIGEST_SHAPE);
  }
});

test('every reason is given by some method, by none twice', () => {
  const used = new Set<string>();
  for (const [name, spec] of all) {
    const reasons = reasonsOf(spec);
    expect([name, new Set(reasons).size]).toEqual([name, reasons.length]);
    for (const reason of reasons) used.add(reason);
  }
  expect(Object.keys(errorTable).filter((reason) => !used.has(reason))).toEqual([]);
});

test('a method is refused as any call, for its credentials and own reasons', () => {
  expect(reasonsOf(ehrMethods['patient.get_patient'])).toEqual([
    ...commonReasons,
    'not_authorized',
    'session_expired',
    'patient_not_matched',
  ]);
  expect(reasonsOf(ehrMethods['embedded_storage.authenticate'])).not.toContain('not_authorized');
});

test('within one method the codes tell the reasons apart', () => {
  for (const [name, spec] of all) {
    const codes = reasonsOf(spec).map((reason) => errorTable[reason].code);
    expect([name, new Set(codes).size]).toEqual([name, codes.length]);
  }
});

test('one of phone and e-mail confirms a user, not both and not neither', () => {
  const { params: request } = authMethods['auth.request_otp'];
  const { params: confirm } = authMethods['auth.confirm_otp'];
  for (const [attribute, fits] of [
    [{ phone: '79990000001' }, true],
    [{ email: 'anna@example.org' }, true],
    [{ phone: '79990000001', email: 'anna@example.org' }, false],
    [{}, false],
    [{ phone: 'x' }, false],
    [{ email: 'x' }, false],
  ] as const) {
    const confirmed = { ...attribute, code: '402913', ehr_user_sign: null };
    const outcomes = [request.safeParse(attribute).success, confirm.safeParse(confirmed).success];
    expect(outcomes, JSON.stringify(attribute)).toEqual([fits, fits]);
  }
});

test('every method has a name, a clause and a summary that documents can show', () => {
  for (const [name, { clause, summary }] of all) {
    expect(clause, name).toMatch(/^(§|OpenRPC|test set-ups)/);
    expect(summary, name).toMatch(/^[A-Z].*\.$/);
    expect(name).toMatch(/^[a-z_]+\.[a-z_]+$/);
  }
});

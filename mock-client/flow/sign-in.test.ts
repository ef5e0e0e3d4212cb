import { expect, test } from 'vitest';
import { proves } from '#testing/proves.ts';
import { at, phone, sessionCall, walk } from './testing/walk.ts';

/** The call that confirms a code without a kept signature. */
const CONFIRM = {
  server: 'auth',
  method: 'auth.confirm_otp',
  params: { phone: phone.value, code: '402913' },
};

proves(['1-sign-in-comes-first'], 'a first visit begins with sign-in, the EHR server comes after it', () => {
  const visit = at.code();
  expect(visit.calls()).toEqual([
    { server: 'auth', method: 'auth.request_otp', params: { phone: phone.value } },
  ]);
  visit.enterCode();
  expect(visit.call()).toEqual(CONFIRM);
  visit.succeed();
  expect(visit.call()).toEqual(sessionCall('patient.get_patient'));
});

test('an e-mail address takes the place of the phone', () => {
  const visit = walk().send({
    type: 'attribute_submitted',
    attribute: { kind: 'email', value: 'a@example.org' },
  });
  expect(visit.call().params).toEqual({ email: 'a@example.org' });
  visit.succeed().enterCode('1');
  expect(visit.call().params).toEqual({ email: 'a@example.org', code: '1' });
});

test('the code step knows the code’s length and when another is possible', () => {
  const visit = walk().enterPhone().atTime(5_000).succeed();
  expect(visit.step('code')).toMatchObject({ attribute: phone, digits: 6, resendAt: 35_000 });
});

test('a code sent a moment ago leads to the step of typing', () => {
  const visit = walk().enterPhone().fail('otp_throttled');
  expect(visit.step('code')).toMatchObject({ notice: 'code_already_sent', digits: undefined });
});

test('a failed request for a code leaves what was typed at sign-in', () => {
  const visit = walk().enterPhone().failBy('unreachable');
  expect(visit.step('signIn')).toMatchObject({
    attribute: phone,
    problem: { kind: 'unreachable', server: 'auth' },
  });
});

test('a new code replaces the old one, unless it comes too soon', () => {
  const visit = at.code().send({ type: 'new_code_asked' }).succeed();
  expect(visit.step('code').notice).toBe('new_code_sent');
  visit.send({ type: 'new_code_asked' }).fail('otp_throttled');
  expect(visit.step('code').problem).toMatchObject({ reason: 'otp_throttled' });
});

test('a retry after a failed request for a code asks again', () => {
  const visit = at.code().send({ type: 'new_code_asked' }).failBy('timeout').retry();
  expect(visit.call().method).toBe('auth.request_otp');
});

test('a retry after a typed code and a failed request asks again', () => {
  const visit = at.code().enterCode('000000').fail('otp_wrong');
  visit.send({ type: 'new_code_asked' }).failBy('timeout').retry();
  expect(visit.call().method).toBe('auth.request_otp');
  const fresh = at.code().send({ type: 'new_code_asked' }).succeed().retry();
  expect(fresh.call().method).toBe('auth.request_otp');
});

test('another phone number can be typed instead, beginning with the one before', () =>
  expect(at.code().send({ type: 'attribute_changed' }).step('signIn').attribute).toEqual(phone));

for (const reason of ['otp_wrong', 'otp_expired', 'otp_exhausted'] as const)
  test(`${reason} is told at the code step, and a code can be entered again`, () => {
    const visit = at.code().enterCode('000000').fail(reason);
    expect(visit.step('code').problem).toMatchObject({ reason });
    visit.enterCode();
    expect(visit.step('code').problem).toBeUndefined();
    expect(visit.call().params).toMatchObject({ code: '402913' });
  });

for (const reason of ['ehr_unreachable', 'ehr_timeout', 'ehr_bad_reply'] as const) {
  test(`after ${reason} trying again sends the same code and the same signature`, () => {
    const visit = at.code('sign-0').enterCode();
    const params = { phone: phone.value, code: '402913', ehr_user_sign: 'sign-0' };
    expect(visit.call().params).toEqual(params);
    expect(visit.fail(reason).step('code').problem).toMatchObject({ reason });
    visit.retry();
    expect(visit.call().params).toEqual(params);
  });
}

for (const reason of ['ehr_refused', 'user_unknown'] as const)
  test(`a kept signature that fails with ${reason} is forgotten and left out once`, () => {
    const visit = at.code('sign-0').enterCode().fail(reason);
    expect(visit.kept()).toBeUndefined();
    expect(visit.call()).toEqual(CONFIRM);
    visit.fail(reason, 'user_unknown');
    expect(visit.model().waiting).toBeUndefined();
    expect(visit.step('code').problem).toMatchObject({ reason });
  });

test('a user whose kept signature opened nothing is told so at the form', () => {
  const visit = at.code('sign-0').enterCode().fail('ehr_refused').succeed();
  expect(visit.fail('not_authorized').step('identify').notice).toBe('link_gone');
});

test.each([
  ['told of its link, without a kept signature', undefined, 'user_unknown', undefined, true],
  ['of another kind, without a kept signature', undefined, 'not_authorized', undefined, false],
  ['unexplained, without a kept signature', undefined, undefined, undefined, false],
  ['unexplained, with a kept signature', 'sign-0', undefined, undefined, true],
  ['of another kind, with a kept signature', 'sign-0', 'internal_error', 'sign-0', false],
] as const)('a refusal %s is told, or tried without a signature', (_what, sign, why, kept, retried) => {
  const visit = at.code(sign).enterCode().fail('ehr_refused', why);
  expect(visit.kept()).toBe(kept);
  if (retried) {
    expect(visit.call()).toEqual(CONFIRM);
    expect(visit.succeed().step('checking').linkGone).toBe(true);
  } else {
    expect(visit.model().waiting).toBeUndefined();
    expect(visit.step('code')).toMatchObject({ linkGone: false, problem: { reason: 'ehr_refused' } });
  }
});

proves(['D34-client-forgets-too'], 'a kept signature of no link is forgotten, and told at the form', () => {
  const visit = at.code('sign-0').enterCode().succeed();
  expect(visit.kept()).toBeUndefined();
  expect(visit.call().method).toBe('patient.get_patient');
  const form = visit.fail('not_authorized').step('identify');
  expect(form).toMatchObject({ notice: 'link_gone' });
  expect(form.problem).toBeUndefined();
});

test('a kept signature with which the sign-in ends linked stays', () => {
  const linked = { authInfo: { user: 'u-1', token: 'token-of-the-session', ttl: 1440 }, linked: true };
  const visit = at.code('sign-0').enterCode().succeed(linked);
  expect(visit.kept()).toBe('sign-0');
  expect(visit.step('checking').linkGone).toBe(false);
});

test('a sign-in without a kept signature that ends unlinked tells nothing', () => {
  const visit = at.code().enterCode().succeed();
  expect(visit.fail('not_authorized').step('identify').notice).toBeUndefined();
});

for (const kind of ['unreachable', 'timeout', 'nonsense'] as const)
  test(`a lost answer (${kind}) keeps the signature, which a retry sends again`, () => {
    const visit = at.code('sign-0').enterCode().failBy(kind);
    expect(visit.kept()).toBe('sign-0');
    expect(visit.step('code')).toMatchObject({ linkGone: false, problem: { kind, server: 'auth' } });
    visit.retry();
    expect(visit.call().params).toMatchObject({ ehr_user_sign: 'sign-0' });
  });

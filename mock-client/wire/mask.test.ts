import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CANARIES, patient } from '../flow/testing/walk.ts';
import { MASK, mask, patientFields } from './mask.ts';

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

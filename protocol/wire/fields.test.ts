import { expect, test } from 'vitest';
import type { z } from 'zod';
import { proves } from '#testing/proves.ts';
import { authInfo, email, exchangeToken, patient, patientProperties, phone, text } from './fields.ts';

test('a text has 1 to its limit of characters and no control character', () => {
  expect(text(5).parse('abcde')).toBe('abcde');
  for (const wrong of ['', 'abcdef', 'a\u0000b', 'a\nb', '\u007f', '\u0085', 5, null, undefined, ['a']])
    expectRefused(text(5), wrong);
  for (const right of [' ', 'ж', '\u200b', '😀']) expect(text(5).parse(right)).toBe(right);
});

test('a text above its limit is refused before anything else reads it', () => {
  const { date, medCardId } = patientProperties.shape;
  for (const schema of [text(40), phone, date, medCardId, email])
    expect(schema.safeParse('\u0000'.repeat(300)).error?.issues).toMatchObject([{ code: 'too_big' }]);
});

proves(
  ['DE-invalid-params', '2.3-user', '2.3-token', '2.3-ttl'],
  'an authInfo needs user, token and ttl',
  () => {
    const right = { user: 'u', token: 't', ttl: 1 };
    expect(authInfo.parse({ ...right, extra: 1 })).toStrictEqual(right);
    for (const name of ['user', 'token', 'ttl']) expectRefused(authInfo, { ...right, [name]: undefined });
    for (const user of ['', 1, null, 'u'.repeat(257), 'a\u0000']) expectRefused(authInfo, { ...right, user });
    for (const token of ['', 1, null, 't'.repeat(513), 'a\tb']) expectRefused(authInfo, { ...right, token });
    expect(
      authInfo.parse({ user: 'u'.repeat(256), token: 't'.repeat(512), ttl: Number.MAX_SAFE_INTEGER }),
    ).toBeTruthy();
  },
);

proves(['D9-ttl-from-one'], 'a ttl is an integer from 1', () => {
  for (const ttl of [0, -1, 1.5, '60', null, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
    expectRefused(authInfo, { user: 'u', token: 't', ttl });
});

proves(['D10-created-accepted'], 'created may be a text, a number, null or absent, and is kept', () => {
  for (const created of ['2026-01-15 09:00:00.000', 1768467600000, null])
    expect(authInfo.parse({ user: 'u', token: 't', ttl: 1, created })).toStrictEqual({
      user: 'u',
      token: 't',
      ttl: 1,
      created,
    });
  for (const created of [{}, [], true, 'x'.repeat(65)])
    expectRefused(authInfo, { user: 'u', token: 't', ttl: 1, created });
});

test('an exchange token is a text of at most 512 characters', () => {
  expect(exchangeToken.parse('x'.repeat(512))).toHaveLength(512);
  for (const wrong of ['', 'x'.repeat(513), 7, null, 'a\u0000']) expectRefused(exchangeToken, wrong);
});

proves(['DE-invalid-params'], 'a patient property of the wrong type or format is refused', () => {
  const rows: Record<string, unknown[]> = {
    name: ['', 5, null, {}, 'x'.repeat(201), 'a\u0000b'],
    surname: ['', 5, null, ['a'], 'x'.repeat(201)],
    date: ['', '12.04.1985', '1985-02-30', 19850412, null, '1985-04-12 25:00:00.000'],
    gender: ['1', 4, -1, 1.5, true],
    phone: ['', 'none', '123', 79990000001, null, '1'.repeat(16), '7'.repeat(41)],
    searchStrategy: ['phone', 'EMAIL', 1],
    medCardId: [1001, 'x'.repeat(65), 'a\u0000b'],
  };
  for (const [name, values] of Object.entries(rows))
    for (const value of values) expectRefused(patientProperties, { [name]: value }, name);
});

test('the properties as clients send them are taken as they are', () => {
  const properties = {
    name: 'Анна',
    surname: "O'Neill-Петрова",
    date: '1985-04-12 00:00:00.000',
    gender: 1,
    phone: '+7 (999) 000-00-01',
    searchStrategy: null,
    medCardId: null,
  };
  expect(patientProperties.parse(properties)).toStrictEqual(properties);
  expect(phone.parse('79990000001')).toBe('79990000001');
});

proves(['D30-empty-is-absent'], 'an optional property may be empty or null instead of absent', () => {
  for (const empty of ['', null]) {
    const properties = { searchStrategy: empty, medCardId: empty };
    expect(patientProperties.parse(properties)).toStrictEqual(properties);
  }
  expect(patientProperties.parse({ gender: null, middleName: '', email: '' })).toStrictEqual({
    gender: null,
  });
});

proves(['DE-no-secrets-echoed'], 'what is wrong is told without the value that is wrong', () => {
  const canary = 'canary\u0000value';
  const input = { user: canary, token: [canary], ttl: canary, created: [canary] };
  const properties = {
    name: canary,
    surname: canary,
    date: canary,
    phone: canary,
    gender: canary,
    searchStrategy: canary,
    medCardId: canary,
  };
  for (const [schema, value, issues] of [
    [authInfo, input, 4],
    [patientProperties, properties, 7],
  ] as const) {
    const { error } = schema.safeParse(value);
    expect(new Set(error?.issues.map(({ path }) => path.join('.'))).size).toBe(issues);
    expect(JSON.stringify(error?.issues)).not.toContain('canary');
  }
});

proves(['D29-patient-record'], 'a patient record has exactly the decided members', () => {
  expect(Object.keys(patient.shape)).toEqual([
    ...['id', 'created', 'active', 'isActive', 'surname', 'middleName', 'name', 'phones', 'email', 'gender'],
    ...['birthdate', 'deceased'],
    ...['maritalStatus', 'photo', 'familyMembers', 'address', 'medcardNumber', 'insurances'],
  ]);
});

proves(['D33-record-types'], 'the members of a record have the published types', () => {
  const { birthdate, created, maritalStatus, familyMembers, insurances } = patient.shape;
  for (const schema of [birthdate, created]) {
    expect(schema.parse('1985-04-12T00:00:00.000Z')).toBe('1985-04-12T00:00:00.000Z');
    for (const wrong of ['1985-04-12', '12.04.1985', 482112000000, null]) expectRefused(schema, wrong);
  }
  for (const status of [0, 1, 2, 3, 4, 5]) expect(maritalStatus.parse(status)).toBe(status);
  for (const wrong of [-1, 6, 'married', null]) expectRefused(maritalStatus, wrong);
  for (const type of [0, 9]) expect(familyMembers.parse([{ type, patientId: 'p-1' }])).toHaveLength(1);
  for (const wrong of [{ type: 10, patientId: 'p' }, { type: -1, patientId: 'p' }, { type: 1 }])
    expectRefused(familyMembers, [wrong]);
  const period = { begin: '2021-01-01T00:00:00.000Z', end: '2031-12-31T00:00:00.000Z' };
  expect(insurances.parse([{ companyId: 'c', policyNumber: '1', period }])).toHaveLength(1);
  for (const wrong of [
    { companyId: 'c', policyNumber: '1' },
    { policyNumber: '1', period },
  ])
    expectRefused(insurances, [wrong]);
});

/** Expect that the schema refuses the value; if `path` is given, for that member alone. */
function expectRefused(schema: z.ZodType, value: unknown, path?: string): void {
  const { success, error } = schema.safeParse(value);
  expect([value, success]).toEqual([value, false]);
  if (path !== undefined)
    expect(new Set(error?.issues.map((issue) => issue.path.join('.')))).toEqual(new Set([path]));
}

test('a wrong field is told in our sentence of what would do', () => {
  for (const [member, value, sentence] of [
    ['name', 'a\u0000', 'must not contain control characters'],
    ['phone', 'none', 'must be a phone number of 5 to 15 digits'],
    [
      'date',
      'none',
      'must be a day of the calendar, written YYYY-MM-DD hh:mm:ss.mmm, in ISO 8601, or as the date alone',
    ],
    ['gender', 4, 'must be 0 (male), 1 (female), 2 (other) or 3 (unknown)'],
    ['searchStrategy', 'EMAIL', 'must be PHONE or MEDCARD'],
    ['medCardId', 'a\u0000', 'must not contain control characters'],
  ] as const) {
    const { error } = patientProperties.safeParse({ [member]: value });
    expect(error?.issues.map(({ message }) => message)).toEqual([sentence]);
  }
});

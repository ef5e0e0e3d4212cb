import { expect, test } from 'vitest';
import { digest } from '#protocol/wire/digest.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import { linkedEhr, unlinkedEhr } from '#testing/linked-ehr.ts';
import { anna } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';

const authInfo = { user: 'u-anna', token: 'token-anna', ttl: 60 };
const cred = { user: 'u-anna', token: 'token-anna' };
const MINUTE_MS = 60_000;

proves(
  [
    '3-exchange-token-remembered',
    '3-exchange-token-pending',
    '3-authenticate-opens',
    '4.3-authenticates',
    'D13-session-stored-at-once',
    '4.2-params',
    'D17-saves-return-id',
  ],
  'a pending exchange token opens nothing by itself, and with the right properties the session at once',
  async () => {
    const ehr = await unlinkedEhr();
    expect(resultOf(await ehr.saveExchangeToken('x', authInfo)).id).toEqual(expect.any(String));
    expect(reasonOf(await ehr.call('patient.get_patient', {}, cred))).toBe('not_authorized');
    const linked = resultOf(
      await ehr.call('embedded_storage.authenticate', { exchangeToken: 'x', patientProperties: anna }),
    );
    expect(resultOf(await ehr.call('patient.get_patient', {}, cred))).toEqual(linked);
  },
);

proves(
  ['8-exchange-token-lifetime', 'D11-exchange-token-boundary'],
  'an exchange token works at 9:59.999',
  async () => {
    const ehr = await unlinkedEhr();
    await ehr.saveExchangeToken('x', authInfo);
    ehr.clock.advance(10 * MINUTE_MS - 1);
    resultOf(await ehr.call('embedded_storage.authenticate', { exchangeToken: 'x', patientProperties: anna }));
  },
);

proves(
  ['D11-exchange-token-boundary', '3-authenticate-needs-live-token', 'DE-exchange-token-expired'],
  'an exchange token is expired at 10:00.000 and leaves no session',
  async () => {
    const ehr = await unlinkedEhr();
    await ehr.saveExchangeToken('x', authInfo);
    ehr.clock.advance(10 * MINUTE_MS);
    const reply = await ehr.call('embedded_storage.authenticate', { exchangeToken: 'x', patientProperties: anna });
    expect(reply.error).toMatchObject({ code: -33001, data: { reason: 'exchange_token_expired' } });
    expect(reasonOf(await ehr.call('patient.get_patient', {}, cred))).toBe('not_authorized');
  },
);

proves(
  ['7-exchange-token-unknown', 'DE-exchange-token-unknown', 'D13-exchange-token-used-up', 'T-client-2'],
  'an exchange token that was never stored, and one that is used up, are unknown',
  async () => {
    const ehr = await linkedEhr();
    expect(
      reasonOf(await ehr.call('embedded_storage.authenticate', { exchangeToken: 'never', patientProperties: anna })),
    ).toBe('exchange_token_unknown');
    await ehr.saveExchangeToken('x', { ...authInfo, token: 'token-2' });
    resultOf(await ehr.call('embedded_storage.authenticate', { exchangeToken: 'x', patientProperties: anna }));
    const again = await ehr.call('embedded_storage.authenticate', { exchangeToken: 'x', patientProperties: anna });
    expect(again.error).toMatchObject({ code: -33000, data: { reason: 'exchange_token_unknown' } });
  },
);

proves(
  ['DE-exchange-token-already-stored'],
  'an exchange token is stored once, used or not, alive or not',
  async () => {
    const ehr = await unlinkedEhr();
    resultOf(await ehr.saveExchangeToken('x', authInfo));
    const again = await ehr.saveExchangeToken('x', { ...authInfo, user: 'u-other', token: 'token-other' });
    expect(again.error).toMatchObject({ code: -34004, data: { reason: 'exchange_token_already_stored' } });
    ehr.clock.advance(11 * MINUTE_MS);
    expect(reasonOf(await ehr.saveExchangeToken('x', authInfo))).toBe('exchange_token_already_stored');
  },
);

proves(
  ['D13-failed-match-keeps-token', '4.3-patient-must-fit', '3-authenticate-needs-patient', 'DE-patient-not-matched'],
  'after a failed match the right properties still succeed',
  async () => {
    const ehr = await unlinkedEhr();
    await ehr.saveExchangeToken('x', authInfo);
    const wrong = await ehr.call('embedded_storage.authenticate', {
      exchangeToken: 'x',
      patientProperties: { ...anna, name: 'Olga' },
    });
    expect(wrong.error).toMatchObject({ code: -34001, data: { reason: 'patient_not_matched' } });
    expect(reasonOf(await ehr.call('patient.get_patient', {}, cred))).toBe('not_authorized');
    resultOf(await ehr.call('embedded_storage.authenticate', { exchangeToken: 'x', patientProperties: anna }));
  },
);

proves(
  ['D13-five-failures', 'DE-exchange-token-exhausted'],
  'five failed matches use an exchange token up, right properties or not',
  async () => {
    const ehr = await unlinkedEhr();
    await ehr.saveExchangeToken('x', authInfo);
    for (let attempt = 1; attempt <= 5; attempt++) {
      const wrong = await ehr.call('embedded_storage.authenticate', {
        exchangeToken: 'x',
        patientProperties: { ...anna, name: 'Olga' },
      });
      expect(reasonOf(wrong)).toBe('patient_not_matched');
    }
    const right = await ehr.call('embedded_storage.authenticate', { exchangeToken: 'x', patientProperties: anna });
    expect(right.error).toMatchObject({ code: -33002, data: { reason: 'exchange_token_exhausted' } });
  },
);

proves(
  ['D13-five-failures'],
  'four failed matches leave one more, and parameters that are malformed count for nothing',
  async () => {
    const ehr = await unlinkedEhr();
    await ehr.saveExchangeToken('x', authInfo);
    for (let attempt = 1; attempt <= 4; attempt++) {
      await ehr.call('embedded_storage.authenticate', {
        exchangeToken: 'x',
        patientProperties: { ...anna, name: 'Olga' },
      });
      await ehr.call('embedded_storage.authenticate', {
        exchangeToken: 'x',
        patientProperties: { ...anna, date: 'yesterday' },
      });
    }
    resultOf(await ehr.call('embedded_storage.authenticate', { exchangeToken: 'x', patientProperties: anna }));
  },
);

proves(['D13-five-failures'], 'failed matches at the same time are all counted', async () => {
  const ehr = await unlinkedEhr();
  await ehr.saveExchangeToken('x', authInfo);
  const wrong = { exchangeToken: 'x', patientProperties: { ...anna, name: 'Olga' } };
  const replies = await Promise.all(Array.from({ length: 20 }, () => ehr.call('embedded_storage.authenticate', wrong)));
  expect(replies.map(reasonOf).filter((reason) => reason === 'patient_not_matched')).toHaveLength(5);
});

proves(
  ['D13-exchange-token-used-up', 'T-client-2'],
  'of a hundred authenticate calls on one exchange token at the same time exactly one succeeds',
  async () => {
    const ehr = await unlinkedEhr();
    await ehr.saveExchangeToken('x', authInfo);
    const replies = await Promise.all(
      Array.from({ length: 100 }, () =>
        ehr.call('embedded_storage.authenticate', { exchangeToken: 'x', patientProperties: anna }),
      ),
    );
    expect(replies.filter((reply) => reply.result)).toHaveLength(1);
    expect(new Set(replies.filter((reply) => reply.error).map(reasonOf))).toEqual(new Set(['exchange_token_unknown']));
  },
);

proves(['D12-expired-token-taken'], 'the token of an expired session cannot be announced again', async () => {
  const ehr = await linkedEhr();
  ehr.clock.advance(60 * MINUTE_MS);
  expect(reasonOf(await ehr.saveExchangeToken('x', authInfo))).toBe('token_already_stored');
});

proves(
  ['5.2-digest', '5.2-digest-verified', '4.2-cred-required'],
  'a save of an exchange token needs the digest over that very token',
  async () => {
    const ehr = await unlinkedEhr();
    const params = { exchangeToken: 'x', authInfo };
    const save = (token: string) =>
      ehr.toInternal('embedded_storage.save_exchange_token', params, { user: INTERNAL_USER, token });
    for (const token of [
      digest(INTERNAL_PASSWORD, 'y'),
      digest('x', INTERNAL_PASSWORD),
      digest(INTERNAL_PASSWORD, ' x'),
      digest(INTERNAL_PASSWORD, ''),
    ]) {
      expect(reasonOf(await save(token))).toBe('not_authorized');
    }
    expect(reasonOf(await ehr.toInternal('embedded_storage.save_exchange_token', params))).toBe('not_authorized');
    expect(
      reasonOf(await ehr.call('embedded_storage.authenticate', { exchangeToken: 'x', patientProperties: anna })),
    ).toBe('exchange_token_unknown');
    resultOf(await save(digest(INTERNAL_PASSWORD, 'x')));
  },
);

proves(
  ['4.2-params-checked', '4.3-params-checked', '2.4-parameter-name'],
  'a missing exchangeToken, authInfo or patientProperties is refused and named',
  async () => {
    const ehr = await unlinkedEhr();
    const internal = { user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, 'x') };
    const replies = [
      await ehr.toInternal('embedded_storage.save_exchange_token', { authInfo }, internal),
      await ehr.toInternal('embedded_storage.save_exchange_token', { exchangeToken: 'x' }, internal),
      await ehr.call('embedded_storage.authenticate', { patientProperties: anna }),
      await ehr.call('embedded_storage.authenticate', { exchangeToken: 'x' }),
    ];
    expect(replies.map(reasonOf)).toEqual(Array(4).fill('invalid_params'));
    expect(replies.map((reply) => reply.error?.data.errors?.[0]?.split(':')[0])).toEqual([
      'params.exchangeToken',
      'params.authInfo',
      'params.exchangeToken',
      'params.patientProperties',
    ]);
  },
);

test('both saves ask for the internal user by name: the right digest under another name saves nothing', async () => {
  const ehr = await linkedEhr();
  const another = { ...authInfo, token: 'token-another' };
  const saves = [
    ['embedded_storage.save_exchange_token', { exchangeToken: 'x', authInfo: another }, 'x'],
    ['embedded_storage.save_auth_info', { authInfo: another }, ehr.userSign],
  ] as const;
  for (const [method, params, secret] of saves) {
    const token = digest(INTERNAL_PASSWORD, secret);
    for (const user of [`${INTERNAL_USER}_`, INTERNAL_USER.slice(1), authInfo.user]) {
      expect(reasonOf(await ehr.toInternal(method, params, { user, token }))).toBe('not_authorized');
    }
    resultOf(await ehr.toInternal(method, params, { user: INTERNAL_USER, token }));
  }
});

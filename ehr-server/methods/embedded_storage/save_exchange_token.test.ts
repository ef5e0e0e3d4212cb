import { expect, test } from 'vitest';
import { digest } from '#protocol/wire/hashes.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import { anna } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';
import { linkedEhr, unlinkedEhr } from '#testing/worlds/linked-ehr.ts';

const authInfo = { user: 'u-anna', token: 'token-anna', ttl: 60 };
const cred = { user: 'u-anna', token: 'token-anna' };

proves(
  [
    '3-exchange-token-remembered',
    '3-exchange-token-pending',
    '3-authenticate-opens',
    '4.3-authenticates',
    '4.2-params',
    'D17-saves-return-id',
    'T-password-3',
  ],
  'a pending exchange token opens nothing until the properties fit',
  async () => {
    const ehr = await unlinkedEhr();
    expect(resultOf(await ehr.saveExchangeToken('x', authInfo)).id).toEqual(expect.any(String));
    expect(reasonOf(await ehr.read(cred))).toBe('not_authorized');
    const linked = resultOf(await ehr.authenticate('x', anna));
    expect(resultOf(await ehr.read(cred))).toEqual(linked);
  },
);

proves(
  ['D13-five-failures', 'D13-failed-match-keeps-token', 'DE-exchange-token-exhausted', 'T-auth-5'],
  'the fifth failed match ends the token, and malformed ones do not count',
  async () => {
    const ehr = await unlinkedEhr();
    await ehr.saveExchangeToken('x', authInfo);
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect(reasonOf(await ehr.authenticate('x', { ...anna, date: 'yesterday' }))).toBe('invalid_params');
      expect(reasonOf(await ehr.authenticate('x', { ...anna, name: 'Olga' }))).toBe('patient_not_matched');
    }
    expect(reasonOf(await ehr.authenticate('x', anna))).toBe('exchange_token_exhausted');
  },
);

proves(
  ['5.2-digest', '5.2-digest-verified', '4.2-cred-required', 'T-network-8'],
  'a save needs its digest',
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
    ])
      expect(reasonOf(await save(token))).toBe('not_authorized');
    expect(reasonOf(await ehr.toInternal('embedded_storage.save_exchange_token', params))).toBe(
      'not_authorized',
    );
    expect(reasonOf(await ehr.authenticate('x', anna))).toBe('exchange_token_unknown');
    resultOf(await save(digest(INTERNAL_PASSWORD, 'x')));
  },
);

test('a right digest under another user name saves nothing', async () => {
  const ehr = await linkedEhr();
  const another = { ...authInfo, token: 'token-another' };
  const saves = [
    ['embedded_storage.save_exchange_token', { exchangeToken: 'x', authInfo: another }, 'x'],
    ['embedded_storage.save_auth_info', { authInfo: another }, ehr.userSign],
  ] as const;
  for (const [method, params, secret] of saves) {
    const token = digest(INTERNAL_PASSWORD, secret);
    for (const user of [`${INTERNAL_USER}_`, INTERNAL_USER.slice(1), authInfo.user])
      expect(reasonOf(await ehr.toInternal(method, params, { user, token }))).toBe('not_authorized');
    resultOf(await ehr.toInternal(method, params, { user: INTERNAL_USER, token }));
  }
});

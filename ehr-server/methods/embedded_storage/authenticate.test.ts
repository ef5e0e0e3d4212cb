import { expect } from 'vitest';
import { anna, ivan, maria } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';
import { unlinkedEhr } from '#testing/worlds/linked-ehr.ts';

const authInfo = { user: 'u-anna', token: 'token-anna', ttl: 60 };
const cred = { user: 'u-anna', token: 'token-anna' };

proves(['DE-patient-not-matched', 'T-client-3'], 'namesakes are refused like nobody at all', async () => {
  const ehr = await unlinkedEhr();
  await ehr.saveExchangeToken('x', authInfo);
  const both = await ehr.authenticate('x', maria);
  const nobody = await ehr.authenticate('x', { ...maria, name: 'Nobody' });
  expect(both.error).toEqual(nobody.error);
});

proves(
  ['D21-stored-user-only', '4.2-binds-auth-info', '5.4-authenticate-identified', 'T-client-1', 'T-auth-3'],
  'authenticate acts for the user of its exchange token',
  async () => {
    const ehr = await unlinkedEhr();
    await ehr.saveExchangeToken('x', authInfo);
    const params = {
      exchangeToken: 'x',
      patientProperties: { ...anna, user: 'u-evil' },
      user: 'u-evil',
      authInfo: { user: 'u-evil', token: 't', ttl: 1 },
    };
    resultOf(
      await ehr.call('embedded_storage.authenticate', params, { user: 'u-evil', token: 'token-evil' }),
    );
    resultOf(await ehr.read(cred));
    expect(reasonOf(await ehr.read({ user: 'u-evil', token: 't' }))).toBe('not_authorized');
  },
);

proves(
  ['D15-sign-random', 'D15-sign-per-link', '2.6-sign-is-string', 'D16-user-sign-read', 'T-client-7'],
  'each link has a signature of 256 bits under both names',
  async () => {
    const ehr = await unlinkedEhr();
    const first = await ehr.link('u-anna', 'token-anna', anna);
    const second = await ehr.link('u-ivan', 'token-ivan', ivan);
    expect(first.userSign).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(first.user_sign).toBe(first.userSign);
    expect(second.userSign).not.toBe(first.userSign);
  },
);

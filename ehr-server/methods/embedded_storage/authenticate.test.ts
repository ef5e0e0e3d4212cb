import { expect } from 'vitest';
import { linkedEhr, unlinkedEhr } from '#testing/linked-ehr.ts';
import { anna, ivan, maria, oleg } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';

const authInfo = { user: 'u-anna', token: 'token-anna', ttl: 60 };
const cred = { user: 'u-anna', token: 'token-anna' };
const MINUTE_MS = 60_000;

proves(
  ['DE-patient-already-linked', 'T-client-6'],
  'of two users who race to link one patient exactly one succeeds',
  async () => {
    const ehr = await unlinkedEhr();
    for (const user of ['u-1', 'u-2'])
      await ehr.saveExchangeToken(`x-${user}`, { user, token: `token-${user}`, ttl: 60 });
    const replies = await Promise.all(
      ['u-1', 'u-2'].map((user) =>
        ehr.call('embedded_storage.authenticate', { exchangeToken: `x-${user}`, patientProperties: anna }),
      ),
    );
    const [winner] = replies.filter((reply) => reply.result);
    const [loser] = replies.filter((reply) => reply.error);
    expect(winner?.result?.patient.name).toBe('Anna');
    expect(loser?.error).toMatchObject({ code: -34009, data: { reason: 'patient_already_linked' } });
  },
);

proves(['DE-patient-already-matched'], 'a user matched to one patient is refused another', async () => {
  const ehr = await linkedEhr();
  await ehr.saveExchangeToken('x', { ...authInfo, token: 'token-2' });
  const reply = await ehr.call('embedded_storage.authenticate', { exchangeToken: 'x', patientProperties: ivan });
  expect(reply.error).toMatchObject({ code: -34000, data: { reason: 'patient_already_matched' } });
  expect(reasonOf(await ehr.call('patient.get_patient', {}, { user: 'u-anna', token: 'token-2' }))).toBe(
    'not_authorized',
  );
});

proves(
  ['DE-patient-not-matched', 'T-client-3'],
  'namesakes are refused in the very words of nobody at all, and twins are told apart by name',
  async () => {
    const ehr = await unlinkedEhr();
    await ehr.saveExchangeToken('x', authInfo);
    const both = await ehr.call('embedded_storage.authenticate', { exchangeToken: 'x', patientProperties: maria });
    const nobody = await ehr.call('embedded_storage.authenticate', {
      exchangeToken: 'x',
      patientProperties: { ...maria, name: 'Nobody' },
    });
    expect(both.error).toEqual(nobody.error);
    expect((await ehr.link('u-ivan', 'token-ivan', ivan)).patient.name).toBe('Ivan');
    expect((await ehr.link('u-oleg', 'token-oleg', oleg)).patient.name).toBe('Oleg');
  },
);

proves(
  ['D22-relogin-keeps-sign', 'D21a-session-already-live', 'D21a-tokens-independent'],
  'authenticating again as the same patient keeps the signature and the live session as it is',
  async () => {
    const ehr = await linkedEhr();
    await ehr.saveExchangeToken('x1', { ...authInfo, ttl: 600 });
    await ehr.saveExchangeToken('x2', { ...authInfo, token: 'token-2' });
    const again = resultOf(
      await ehr.call('embedded_storage.authenticate', { exchangeToken: 'x1', patientProperties: anna }),
    );
    expect(again.userSign).toBe(ehr.userSign);
    ehr.clock.advance(9 * MINUTE_MS);
    const device = resultOf(
      await ehr.call('embedded_storage.authenticate', { exchangeToken: 'x2', patientProperties: anna }),
    );
    expect(device.userSign).toBe(ehr.userSign);
    ehr.clock.advance(51 * MINUTE_MS);
    expect(reasonOf(await ehr.call('patient.get_patient', {}, cred))).toBe('session_expired');
  },
);

proves(
  ['D21a-foreign-session-at-save', 'D21a-foreign-session-at-authenticate'],
  "a token that is another user's session is refused at the save and at authenticate",
  async () => {
    const ehr = await linkedEhr();
    expect(reasonOf(await ehr.saveExchangeToken('x', { ...authInfo, user: 'u-thief' }))).toBe('token_already_stored');
    // The session token was free when it was announced, and was stored by its owner in between.
    await ehr.saveExchangeToken('x', { user: 'u-thief', token: 'token-2', ttl: 60 });
    await ehr.saveExchangeToken('y', { user: 'u-anna', token: 'token-2', ttl: 60 });
    resultOf(await ehr.call('embedded_storage.authenticate', { exchangeToken: 'y', patientProperties: anna }));
    expect(
      reasonOf(await ehr.call('embedded_storage.authenticate', { exchangeToken: 'x', patientProperties: ivan })),
    ).toBe('token_already_stored');
  },
);

proves(
  ['D21-stored-user-only', '4.2-binds-auth-info', '5.4-authenticate-identified', 'T-client-1'],
  'authenticate acts for the user of the exchange token, whatever the client says',
  async () => {
    const ehr = await unlinkedEhr();
    await ehr.saveExchangeToken('x', authInfo);
    const params = {
      exchangeToken: 'x',
      patientProperties: { ...anna, user: 'u-evil' },
      user: 'u-evil',
      authInfo: { user: 'u-evil', token: 't', ttl: 1 },
    };
    resultOf(await ehr.call('embedded_storage.authenticate', params, { user: 'u-evil', token: 'token-evil' }));
    resultOf(await ehr.call('patient.get_patient', {}, cred));
    expect(reasonOf(await ehr.call('patient.get_patient', {}, { user: 'u-evil', token: 't' }))).toBe('not_authorized');
  },
);

proves(
  ['D15-sign-random', 'D15-sign-per-link', '2.6-sign-is-string', 'D16-result-shape'],
  'each link has a signature of its own of 256 bits in base64url, under both names',
  async () => {
    const ehr = await unlinkedEhr();
    const first = await ehr.link('u-anna', 'token-anna', anna);
    const second = await ehr.link('u-ivan', 'token-ivan', ivan);
    expect(first.userSign).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(first.user_sign).toBe(first.userSign);
    expect(second.userSign).not.toBe(first.userSign);
  },
);

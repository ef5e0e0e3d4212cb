import { expect } from 'vitest';
import { digest } from '#protocol/wire/hashes.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import { proves } from '#testing/proves.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';
import { linkedEhr } from '#testing/worlds/linked-ehr.ts';

const second = { user: 'u-anna', token: 'token-second', ttl: 60 };

proves(
  ['3-save-opens', '4.1-params', 'D17-saves-return-id', '1-pair-per-session', 'T-auth-1'],
  'a linked user gets a second session by save_auth_info',
  async () => {
    const ehr = await linkedEhr();
    const saved = resultOf(await ehr.saveAuthInfo(second, ehr.userSign));
    expect(saved.id).toEqual(expect.any(String));
    const patients = await Promise.all(
      ['token-anna', 'token-second'].map((token) => ehr.read({ user: 'u-anna', token })),
    );
    expect(patients.map((reply) => resultOf(reply).patient.name)).toEqual(['Anna', 'Anna']);
  },
);

proves(['D14-never'], 'the first save is refused with record-after-authenticate never', async () => {
  const ehr = await linkedEhr({ env: { EHR_RECORD_AFTER_AUTHENTICATE: 'never' } });
  expect(reasonOf(await ehr.saveAuthInfo(ehr.authInfo, ehr.userSign))).toBe('token_already_stored');
});

proves(
  ['DE-user-unknown', '7-not-authenticated', 'T-password-5'],
  'a save for a user without a link is refused as user_unknown',
  async () => {
    const ehr = await linkedEhr();
    const reply = await ehr.saveAuthInfo({ user: 'u-nobody', token: 'token-nobody', ttl: 60 }, ehr.userSign);
    expect(reply.error).toMatchObject({ code: -34007, data: { reason: 'user_unknown' } });
    expect(reply.error?.message).toContain('correspondence table');
  },
);

proves(
  ['5.1-digest-verified', '5.1-digest-order', '5.1-digest', 'DE-not-authorized', 'T-password-1'],
  'every digest but the right one is refused',
  async () => {
    const ehr = await linkedEhr();
    const wrong = {
      'secret first': digest(ehr.userSign, INTERNAL_PASSWORD),
      separator: digest(`${INTERNAL_PASSWORD}:`, ehr.userSign),
      'wrong password': digest('other', ehr.userSign),
      'wrong secret': digest(INTERNAL_PASSWORD, 'other'),
      'password alone': digest(INTERNAL_PASSWORD, ''),
    };
    for (const [what, token] of Object.entries(wrong)) {
      const reply = await ehr.toInternal(
        'embedded_storage.save_auth_info',
        { authInfo: second },
        { user: INTERNAL_USER, token },
      );
      expect([what, reply.error?.code, reply.error?.data.reason]).toEqual([what, -33000, 'not_authorized']);
    }
    expect(reasonOf(await ehr.read({ user: 'u-anna', token: 'token-second' }))).toBe('not_authorized');
  },
);

proves(
  ['5.1-digest-of-own-sign', '5.3-own-sign-needed', '1-sign-is-part-of-secret', 'T-auth-2'],
  "another's signature is refused",
  async () => {
    const ehr = await linkedEhr();
    await ehr.link('u-boris', 'token-boris', ehr.people.alyoshin);
    expect(
      reasonOf(await ehr.saveAuthInfo({ user: 'u-boris', token: 'token-b2', ttl: 60 }, ehr.userSign)),
    ).toBe('not_authorized');
  },
);

proves(['4.1-cred-required', '5.3-header-opens-nothing', '2.1-cred-sent'], 'a save needs cred', async () => {
  const ehr = await linkedEhr();
  const basic = Buffer.from(`${INTERNAL_USER}:${INTERNAL_PASSWORD}`).toString('base64');
  for (const authorization of [`Basic ${basic}`, `Bearer ${digest(INTERNAL_PASSWORD, ehr.userSign)}`]) {
    const reply = await ehr.post(
      { jsonrpc: '2.0', id: 1, method: 'embedded_storage.save_auth_info', params: { authInfo: second } },
      { authorization },
    );
    expect(reply.error.data.reason).toBe('not_authorized');
  }
  expect(reasonOf(await ehr.read({ user: 'u-anna', token: 'token-second' }))).toBe('not_authorized');
});

proves(
  ['D9-ttl-upper-bound', 'D9-ttl-minutes', 'D8-params-before-cred-verified'],
  'a ttl above ten years is refused, before a wrong digest is',
  async () => {
    const ehr = await linkedEhr();
    const tooLong = { ...second, ttl: 5_259_601 };
    expect(reasonOf(await ehr.saveAuthInfo(tooLong, 'wrong'))).toBe('invalid_params');
    resultOf(await ehr.saveAuthInfo({ ...second, ttl: 5_259_600 }, ehr.userSign));
  },
);

proves(['D9-ttl-upper-bound'], 'the upper bound of ttl is a setting', async () => {
  const ehr = await linkedEhr({ env: { EHR_MAX_TTL: '1440' } });
  expect(reasonOf(await ehr.saveAuthInfo({ ...second, ttl: 1441 }, ehr.userSign))).toBe('invalid_params');
  resultOf(await ehr.saveAuthInfo({ ...second, ttl: 1440 }, ehr.userSign));
});

proves(['D10-created-accepted', 'D10-own-clock'], 'created is accepted and decides nothing', async () => {
  const ehr = await linkedEhr();
  resultOf(await ehr.saveAuthInfo({ ...second, created: '1999-01-01 00:00:00.000' }, ehr.userSign));
  resultOf(await ehr.saveAuthInfo({ ...second, token: 'token-third', created: 946684800000 }, ehr.userSign));
  ehr.clock.advance(59 * 60_000);
  resultOf(await ehr.read({ user: 'u-anna', token: 'token-second' }));
  resultOf(await ehr.read({ user: 'u-anna', token: 'token-third' }));
});

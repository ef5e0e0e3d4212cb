import { expect } from 'vitest';
import { personas } from '#mis-fixtures/personas.ts';
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { digest } from '#protocol/wire/digest.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import { anna } from '#testing/people.ts';
import { proves } from '#testing/proves.ts';
import { ScriptedClient } from '#testing/scripted-client.ts';
import { useWorld } from '#testing/use-world.ts';
import { callerOf, reasonOf, resultOf } from '#testing/wire.ts';

const PHONE = '79991112233';
const MINUTE_MS = 60_000;

proves(
  ['1-no-correspondence-error', 'D18-missing-entry-names-itself'],
  "without an entry in the authorization server's table the session is not recorded, and the error says which table",
  async () => {
    const world = await useWorld();
    const client = new ScriptedClient(world, personas.orphan.signIn);
    await client.signIn();
    resultOf(await client.link(anna));
    const { error } = await client.reportLink();
    expect(error).toMatchObject({ code: -34007, data: { reason: 'user_unknown' } });
    expect(error?.data.errors?.join()).toContain('authorization server');
    expect(world.ehrMethodsSeen()).not.toContain('embedded_storage.save_auth_info');
  },
);

proves(
  ['1-no-correspondence-error'],
  'an entry removed later is missed at the next sign-in, and nothing is sent to the EHR server',
  async () => {
    const world = await useWorld();
    const client = await new ScriptedClient(world, PHONE).connect(anna);
    expect(world.auth.correspondence.remove(PHONE)).toBe(true);
    world.clock.advance(MINUTE_MS);
    const saves = world.ehrMethodsSeen().length;
    expect(reasonOf(await client.confirm(await client.requestCode()))).toBe('user_unknown');
    expect(world.ehrMethodsSeen()).toHaveLength(saves);
  },
);

proves(
  ['D18-ehr-own-table', 'DE-user-unknown'],
  'a user without a link at the EHR server is unknown there',
  async () => {
    const world = await useWorld();
    const client = new ScriptedClient(world, PHONE);
    await client.signIn();
    client.userSign = 'a-signature-of-nobody';
    const { error } = await client.reportLink();
    expect(error?.data).toMatchObject({ reason: 'ehr_refused', ehr: { code: -34007, reason: 'user_unknown' } });
  },
);

proves(
  ['DE-access-forbidden', '1-internal-channel-closed', 'T-client-11'],
  'the internal methods are closed to the public listener, even with the right digest',
  async () => {
    const world = await useWorld();
    const client = await new ScriptedClient(world, PHONE).connect(anna);
    const authInfo = { user: client.cred.user, token: 'stolen', ttl: 60 };
    const cred = { user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, client.userSign as string) };
    expect(reasonOf(await world.toEhr('embedded_storage.save_auth_info', { authInfo }, cred))).toBe('access_forbidden');
    const onInternal = callerOf<typeof ehrMethods>(`${world.ehr.internalUrl}/1.0-alpha/`);
    for (const token of [
      cred.token.toUpperCase(),
      digest(client.userSign as string, INTERNAL_PASSWORD),
      digest(INTERNAL_PASSWORD, 'other'),
    ]) {
      expect(
        reasonOf(await onInternal('embedded_storage.save_auth_info', { authInfo }, { user: INTERNAL_USER, token })),
      ).toBe('not_authorized');
    }
  },
);

proves(
  ['1-phone-confirmed', 'DA-confirm-otp', 'DA-request-otp', 'T-client-12'],
  'a wrong, a late, a used and a superseded code open no session, and too many tries end the code',
  async () => {
    const world = await useWorld({ env: { AUTH_OTP_RESEND_AFTER: '30' } });
    const client = new ScriptedClient(world, PHONE);
    const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

    const first = await client.requestCode();
    expect(reasonOf(await client.confirm(wrong(first)))).toBe('otp_wrong');
    expect(reasonOf(await world.toAuth('auth.request_otp', client.attribute))).toBe('otp_throttled');
    world.clock.advance(5 * MINUTE_MS);
    expect(reasonOf(await client.confirm(first))).toBe('otp_expired');

    const old = await client.requestCode();
    world.clock.advance(MINUTE_MS);
    const fresh = await client.requestCode();
    expect(reasonOf(await client.confirm(old))).toBe('otp_wrong');
    resultOf(await client.confirm(fresh));
    expect(reasonOf(await client.confirm(fresh))).toBe('otp_wrong');

    world.clock.advance(MINUTE_MS);
    const tried = await client.requestCode();
    for (let attempt = 0; attempt < 5; attempt++)
      expect(reasonOf(await client.confirm(wrong(tried)))).toBe('otp_wrong');
    expect(reasonOf(await client.confirm(tried))).toBe('otp_exhausted');
    expect(world.ehrMethodsSeen()).toEqual([]);
  },
);

proves(['1-phone-confirmed', 'T-client-12'], 'the code of one phone does not confirm another', async () => {
  const world = await useWorld();
  const code = await new ScriptedClient(world, PHONE).requestCode();
  const other = new ScriptedClient(world, '79994445566');
  await other.requestCode();
  expect(reasonOf(await other.confirm(code))).toBe('otp_wrong');
});

import { expect, test } from 'vitest';
import { personas } from '#mis-fixtures/personas.ts';
import { manualClock } from '#protocol/time/clock.ts';
import { proves } from '#testing/proves.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';
import { linkedEhr, unlinkedEhr } from '#testing/worlds/linked-ehr.ts';
import type { Context } from '../../context.ts';
import { get_patient } from '../patient/get_patient.ts';

const MINUTE_MS = 60_000;
const REMOVALS = ['embedded_storage.remove_auth_info', 'embedded_storage.remove_authentication'] as const;
const SESSION_METHODS = ['patient.get_patient', ...REMOVALS] as const;

proves(
  ['3-no-session', '4.4-not-authenticated', '7-not-authenticated', 'DE-not-authorized'],
  'a caller without a session starts the exchange with get_patient refused',
  async () => {
    const ehr = await unlinkedEhr();
    const replies = [await ehr.read(), await ehr.read({ user: 'u-anna', token: 'token-anna' })];
    for (const reply of replies)
      expect(reply.error).toMatchObject({ code: -33000, data: { reason: 'not_authorized' } });
  },
);

proves(
  ['3-authenticated', '4.4-record-and-sign', 'D16-user-sign-read', 'D29-patient-record', 'D33-record-types'],
  'get_patient answers record and signature',
  async () => {
    const ehr = await linkedEhr();
    const [patient] = personas.anna.patients;
    const { userSign } = ehr;
    expect(resultOf(await ehr.read(ehr.cred))).toEqual({ patient, user_sign: userSign, userSign });
  },
);

proves(
  ['D11-session-boundary', 'DE-session-expired', 'D9-ttl-minutes'],
  'a session is alive to its last millisecond, then neither read nor ended',
  async () => {
    const ehr = await linkedEhr();
    ehr.clock.advance(60 * MINUTE_MS - 1);
    resultOf(await ehr.read(ehr.cred));
    ehr.clock.advance(1);
    for (const method of SESSION_METHODS)
      expect(reasonOf(await ehr.call(method, {}, ehr.cred))).toBe('session_expired');
  },
);

proves(['D9-ttl-seconds'], 'with ttl-unit seconds a ttl counts seconds', async () => {
  const ehr = await linkedEhr({ env: { EHR_TTL_UNIT: 'seconds' } });
  ehr.clock.advance(59_999);
  resultOf(await ehr.read(ehr.cred));
  ehr.clock.advance(1);
  expect(reasonOf(await ehr.read(ehr.cred))).toBe('session_expired');
});

proves(
  [
    '3-logout-ends-session',
    'D19-one-session',
    'D19-link-stays',
    '4-empty-result',
    '4.5-params',
    '4.5-called-at-exit',
    'T-client-14',
  ],
  'remove_auth_info ends this session alone, and leaves the link',
  async () => {
    const ehr = await linkedEhr();
    resultOf(await ehr.saveAuthInfo({ user: 'u-anna', token: 'token-2', ttl: 60 }, ehr.userSign));
    expect(resultOf(await ehr.call('embedded_storage.remove_auth_info', {}, ehr.cred))).toEqual({});
    expect(reasonOf(await ehr.read(ehr.cred))).toBe('not_authorized');
    resultOf(await ehr.read({ user: 'u-anna', token: 'token-2' }));
    resultOf(await ehr.saveAuthInfo({ user: 'u-anna', token: 'token-3', ttl: 60 }, ehr.userSign));
  },
);

proves(
  [
    '3-disconnect-ends-session',
    'D20-all-sessions-removed',
    '4-empty-result',
    '4.6-params',
    'T-auth-1',
    'T-client-14',
  ],
  'remove_authentication ends all sessions and the link',
  async () => {
    const ehr = await linkedEhr();
    resultOf(await ehr.saveAuthInfo({ user: 'u-anna', token: 'token-2', ttl: 60 }, ehr.userSign));
    expect(resultOf(await ehr.call('embedded_storage.remove_authentication', {}, ehr.cred))).toEqual({});
    for (const token of ['token-anna', 'token-2'])
      expect(reasonOf(await ehr.read({ user: 'u-anna', token }))).toBe('not_authorized');
    expect(
      reasonOf(await ehr.saveAuthInfo({ user: 'u-anna', token: 'token-3', ttl: 60 }, ehr.userSign)),
    ).toBe('user_unknown');
  },
);

proves(
  ['5.4-removals-cred-checked', '5.4-removals-cred', 'T-password-2'],
  'a removal needs a session',
  async () => {
    const ehr = await linkedEhr();
    for (const method of REMOVALS)
      for (const cred of [
        undefined,
        { user: 'u-anna', token: 'other' },
        { user: 'u-other', token: 'token-anna' },
      ])
        expect(reasonOf(await ehr.call(method, {}, cred))).toBe('not_authorized');
    resultOf(await ehr.read(ehr.cred));
  },
);

test('the verified link is shown and recorded, and no other looked for', async () => {
  const recorded: string[] = [];
  // The store is slow: by the time it answers, the user may have another link.
  const store = { recordAccess: async (...access: unknown[]) => void recorded.push(access.join(' ')) };
  const mis = { record: (patientId: string) => JSON.stringify({ id: patientId }) };
  const context = { store, mis, clock: manualClock(5) } as unknown as Context;
  const caller = { link: { user: 'u-1', patientId: 'p-1', userSign: 'sign-1' }, tokenHash: Buffer.alloc(32) };
  const reply = await get_patient(context, {}, caller);
  expect(JSON.parse(reply.text)).toMatchObject({ patient: { id: 'p-1' }, user_sign: 'sign-1' });
  expect(recorded).toEqual(['u-1 p-1 5']);
});

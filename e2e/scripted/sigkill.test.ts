import { expect, onTestFinished } from 'vitest';
import type { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { digest } from '#protocol/wire/digest.ts';
import { INTERNAL_PASSWORD, INTERNAL_USER } from '#testing/fixtures.ts';
import { anna } from '#testing/people.ts';
import { startProcesses } from '#testing/processes.ts';
import { proves } from '#testing/proves.ts';
import { callerOf, reasonOf, resultOf } from '#testing/wire.ts';

const phone = '79991112233';

async function useProcesses() {
  const processes = await startProcesses();
  onTestFinished(() => processes.stop());
  return processes;
}

proves(
  ['2.4-remembered', 'D13-session-stored-at-once'],
  'both servers killed between every two steps: the flow goes on, and nothing acknowledged is gone',
  async () => {
    const { toAuth, toEhr, newestCode, killAll, restartAll } = await useProcesses();
    const crash = async () => {
      await killAll();
      await restartAll();
    };
    resultOf(await toAuth('auth.request_otp', { phone }));
    await crash();
    const code = await newestCode(phone);
    const { authInfo } = resultOf(await toAuth('auth.confirm_otp', { phone, code }));
    const cred = { user: authInfo.user, token: authInfo.token };
    await crash();
    // A used code stays used.
    expect(reasonOf(await toAuth('auth.confirm_otp', { phone, code }))).toBe('otp_wrong');
    expect(reasonOf(await toEhr('patient.get_patient', {}, cred))).toBe('not_authorized');
    await crash();
    const { exchangeToken } = resultOf(await toAuth('auth.exchange_token', {}, cred));
    await crash();
    expect(
      reasonOf(
        await toEhr('embedded_storage.authenticate', { exchangeToken, patientProperties: { ...anna, name: 'Olga' } }),
      ),
    ).toBe('patient_not_matched');
    await crash();
    const { userSign } = resultOf(
      await toEhr('embedded_storage.authenticate', { exchangeToken, patientProperties: anna }),
    );
    await crash();
    expect(reasonOf(await toEhr('embedded_storage.authenticate', { exchangeToken, patientProperties: anna }))).toBe(
      'exchange_token_unknown',
    );
    resultOf(await toAuth('auth.report_link', { user_sign: userSign }, cred));
    await crash();
    expect(resultOf(await toEhr('patient.get_patient', {}, cred)).userSign).toBe(userSign);
    resultOf(await toAuth('auth.request_otp', { phone }));
    await crash();
    const again = resultOf(await toAuth('auth.confirm_otp', { phone, code: await newestCode(phone) }));
    expect(again.linked).toBe(true);
    await crash();
    resultOf(await toEhr('embedded_storage.remove_auth_info', {}, cred));
    await crash();
    expect(reasonOf(await toEhr('patient.get_patient', {}, cred))).toBe('not_authorized');
    resultOf(await toAuth('auth.logout', {}, cred));
    await crash();
    expect(reasonOf(await toAuth('auth.exchange_token', {}, cred))).toBe('not_authorized');
    const other = { user: again.authInfo.user, token: again.authInfo.token };
    resultOf(await toEhr('embedded_storage.remove_authentication', {}, other));
    await crash();
    expect(reasonOf(await toEhr('patient.get_patient', {}, other))).toBe('not_authorized');
  },
);

proves(
  ['8-token-used-once'],
  'an EHR server killed in the middle of many saves keeps every one that it acknowledged',
  async () => {
    const { toEhr, toAuth, urls, newestCode, killAll, restartAll } = await useProcesses();
    resultOf(await toAuth('auth.request_otp', { phone }));
    const { authInfo } = resultOf(await toAuth('auth.confirm_otp', { phone, code: await newestCode(phone) }));
    const cred = { user: authInfo.user, token: authInfo.token };
    const { exchangeToken } = resultOf(await toAuth('auth.exchange_token', {}, cred));
    const { userSign } = resultOf(
      await toEhr('embedded_storage.authenticate', { exchangeToken, patientProperties: anna }),
    );
    const internalCred = { user: INTERNAL_USER, token: digest(INTERNAL_PASSWORD, userSign) };
    const toInternal = callerOf<typeof ehrMethods>(`${urls.ehrInternal}/1.0-alpha/`);

    const acknowledged: string[] = [];
    for (const round of [1, 2, 3]) {
      let dead = false;
      const save = async (worker: number) => {
        for (let n = 0; !dead; n++) {
          const token = `token-${round}-${worker}-${n}`;
          const reply = await toInternal(
            'embedded_storage.save_auth_info',
            { authInfo: { user: cred.user, token, ttl: 60 } },
            internalCred,
          ).catch(() => undefined);
          if (!reply) continue;
          resultOf(reply);
          acknowledged.push(token);
        }
      };
      const workers = Array.from({ length: 16 }, (_, worker) => save(worker));
      const enough = acknowledged.length + 200;
      const failed = Promise.all(workers);
      while (acknowledged.length < enough) await Promise.race([new Promise(setImmediate), failed]);
      await killAll();
      dead = true;
      await Promise.all(workers);
      await restartAll();
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(600);
    for (const token of acknowledged) {
      expect([token, (await toEhr('patient.get_patient', {}, { user: cred.user, token })).error]).toEqual([
        token,
        undefined,
      ]);
    }
  },
);

import { expect, onTestFinished } from 'vitest';
import { anna } from '#testing/people.ts';
import { startProcesses } from '#testing/processes.ts';
import { proves } from '#testing/proves.ts';
import { reasonOf, resultOf } from '#testing/wire.ts';

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

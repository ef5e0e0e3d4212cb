/** Flows in which somebody must not get on, or cannot for the moment. */
import type { Device } from './device.ts';
import { type Flow, flow } from './flow.ts';
import { authClock, internalChannel, phoneWithoutEntry, removableEntry, secondCode } from './needs.ts';
import { FROM_START } from './world.ts';

const SAVE_TOKEN = 'embedded_storage.save_exchange_token';
const SAVE_SESSION = 'embedded_storage.save_auth_info';

/** Longer than any code lives. */
const CODE_MINUTES = 60;

/** Another code of the same length. */
const otherThan = (code: string) => String((Number(code) + 1) % 10 ** code.length).padStart(code.length, '0');

/** Enters a wrong code, which is told. One that equals the right code, by chance or always, is none. */
async function entersInVain(device: Device, wrong: string, right: string): Promise<void> {
  if (wrong === right) return;
  await device.enterCode(wrong);
  device.isToldOn('code', 'error');
}

export const refusals: readonly Flow[] = [
  flow({
    name: 'wrong-code',
    sentence: 'a wrong code opens no session and is told, and the right one works then',
    requirements: ['1-phone-confirmed', '1-pair-at-sign-in'],
    async play(world) {
      const { phone } = world.someone();
      const device = world.device();
      const code = await device.askCode(phone);
      await entersInVain(device, otherThan(code), code);
      world.notCalled(FROM_START, 'auth.confirm_otp ok');
      await device.enterCode(code);
      device.sees('form');
    },
  }),
  flow({
    name: 'old-code',
    sentence: 'a code that is too old is told, and a new one works',
    requirements: ['1-phone-confirmed'],
    needs: [authClock],
    async play(world) {
      const someone = world.someone();
      const device = world.device();
      const code = await device.askCode(someone.phone);
      await world.advance(CODE_MINUTES, 'auth');
      await device.enterCode(code);
      device.isToldOn('code', 'error', 'signedOut');
      world.notCalled(FROM_START, 'auth.confirm_otp ok');
      await device.signIn(someone);
      device.sees('form');
    },
  }),
  flow({
    name: 'superseded-code',
    sentence: 'after a new code the old one is worth nothing',
    requirements: ['1-phone-confirmed'],
    needs: [secondCode],
    async play(world) {
      const { phone } = world.someone();
      const device = world.device();
      const old = await device.askCode(phone);
      const fresh = await device.askCode(phone);
      await entersInVain(device, old, fresh);
      await device.enterCode(fresh);
      device.sees('form');
    },
  }),
  flow({
    name: 'used-code',
    sentence: 'a code that was used opens no second session',
    requirements: ['1-phone-confirmed'],
    needs: [secondCode],
    async play(world) {
      const { phone } = world.someone();
      const first = world.device();
      const used = await first.askCode(phone);
      await first.enterCode(used);
      first.sees('form');
      const second = world.device();
      const fresh = await second.askCode(phone);
      await entersInVain(second, used, fresh);
    },
  }),
  flow({
    name: 'code-of-another-phone',
    sentence: 'the code of one phone does not confirm another',
    requirements: ['1-phone-confirmed'],
    async play(world) {
      const other = await world.device().askCode(world.someone().phone);
      const device = world.device();
      const own = await device.askCode(world.someone().phone);
      await entersInVain(device, other, own);
      world.notCalled(FROM_START, 'auth.confirm_otp ok');
    },
  }),
  flow({
    name: 'no-entry',
    sentence:
      'without an entry in the correspondence table the session is not recorded, and the person is told',
    requirements: ['1-no-correspondence-error'],
    needs: [phoneWithoutEntry, secondCode, internalChannel],
    async play(world) {
      const { record } = world.someone();
      const phone = world.parties.auth.phoneWithoutEntry ?? '';
      const device = world.device();
      await device.signIn({ phone, record });
      device.sees('form');
      await device.fillForm(record);
      device.isToldOn('patient', 'error');
      await world.untilCalled('auth.report_link');
      world.notCalled(FROM_START, SAVE_SESSION);
      world.notCalled(FROM_START, 'auth.report_link ok');
    },
  }),
  flow({
    name: 'entry-removed',
    sentence:
      'an entry removed later is missed at the next sign-in, and no session is sent to the EHR server',
    requirements: ['1-no-correspondence-error'],
    needs: [removableEntry, secondCode, internalChannel],
    async play(world) {
      const { someone, device } = await world.connected();
      await device.press('logout');
      await world.parties.auth.removeEntry?.(someone.phone);
      const before = world.calls().length;
      await device.signIn(someone);
      device.isToldOn('code', 'error', 'signedOut', 'form');
      world.notCalled(before, SAVE_SESSION);
    },
  }),
  flow({
    name: 'link-without-ehr-server',
    sentence: 'while the EHR server is away no exchange token reaches the client, and the next try works',
    requirements: ['1-exchange-token-ehr-first', '2.4-known-to-both'],
    needs: [internalChannel],
    async play(world) {
      const { someone, device } = await world.signedIn();
      world.cut('auth->ehr');
      await device.fillForm(someone.record);
      device.isToldOn('form', 'error');
      world.notCalled(FROM_START, 'auth.exchange_token ok');
      world.mend('auth->ehr');
      await device.fillFormUntilRecord(someone.record);
      world.called(FROM_START, `${SAVE_TOKEN} ok`);
    },
  }),
  flow({
    name: 'sign-in-without-ehr-server',
    sentence:
      'while the EHR server is away a linked user is not signed in, and the same code serves when it is back',
    requirements: ['1-matched-user-saved-directly'],
    needs: [secondCode, internalChannel],
    async play(world) {
      const { someone, device } = await world.connected();
      await device.press('logout');
      const before = world.calls().length;
      const code = await device.askCode(someone.phone);
      world.cut('auth->ehr');
      await device.enterCode(code);
      device.isToldOn('code', 'error');
      world.notCalled(before, 'auth.confirm_otp ok');
      world.mend('auth->ehr');
      await device.enterCode(code);
      device.seesRecordOf(someone.record);
    },
  }),
];

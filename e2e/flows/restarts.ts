/** Flows in which a server is restarted while people use it. What it has acknowledged must be there. */
import { type Flow, flow } from './flow.ts';
import { authRestart, ehrRestart, mistyped, secondCode } from './needs.ts';

export const restarts: readonly Flow[] = [
  flow({
    name: 'ehr-server-restarted',
    sentence:
      'the EHR server is restarted between two steps: a form leads to the record, and the record is there',
    requirements: [],
    needs: [ehrRestart],
    async play(world) {
      const { someone, device } = await world.signedIn();
      await device.fillForm(mistyped(someone.record));
      await world.restart('ehr');
      await device.fillFormUntilRecord(someone.record);
      await world.untilCalled('auth.report_link ok');
      await world.restart('ehr');
      await device.press('readPatient');
      device.seesRecordOf(someone.record);
    },
  }),
  flow({
    name: 'auth-server-restarted',
    sentence:
      'the authorization server is restarted: a sent code works, and a session and a link are known still',
    requirements: [],
    needs: [authRestart, secondCode],
    async play(world) {
      const someone = world.someone();
      const device = world.device();
      const code = await device.askCode(someone.phone);
      await world.restart('auth');
      await device.enterCode(code);
      device.sees('form');
      await world.restart('auth');
      await device.fillForm(someone.record);
      device.seesRecordOf(someone.record);
      await world.untilCalled('auth.report_link ok');
      await device.press('logout');
      await world.restart('auth');
      await device.signIn(someone);
      device.seesRecordOf(someone.record);
    },
  }),
];
